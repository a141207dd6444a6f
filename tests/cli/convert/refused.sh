# What isn't converted; nothing is left of it.  SPDX-License-Identifier: Apache-2.0
refused 2 "convert which model?" convert -o a.kztts
refused 2 "one model at a time" convert a b -o a.kztts
refused 2 "-o says where to" convert "$MODEL"
refused 2 "the ending of the name tells the kind of file" convert "$MODEL" -o a.bin
refused 2 "is not understood" convert "$MODEL" -o a.kztts --quant q9
refused 2 "is not understood" convert "$MODEL" -o a.kztts --quant codec=q8
refused 6 "no model 'none'" convert none -o a.kztts
refused 6 "can't be written: No such file or directory" convert "$MODEL" -o none/a.kztts
run 0 convert "$MODEL" -o a.kztts --quant q8
refused 2 "'a.kztts' is there already; choose another name, or give --force" convert "$MODEL" -o a.kztts
refused 2 "source and target are the same file" convert a.kztts -o ./a.kztts --force
ln -s a.kztts link.kztts
refused 2 "source and target are the same file" convert link.kztts -o a.kztts --force
refused 2 "is q8 in this file and can't become q4" convert a.kztts -o b.kztts --quant q4
mkdir folder.kztts
refused 2 "is there and not a regular file" convert "$MODEL" -o folder.kztts --force
head -c 100000 a.kztts >cut.kztts
refused 8 "the file is too short" convert cut.kztts -o b.kztts
refused 8 "the file is too short" say -m cut.kztts hello
same "$(echo *)" "a.kztts cut.kztts err folder.kztts link.kztts out"
