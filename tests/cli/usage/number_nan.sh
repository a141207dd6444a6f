# nan and inf are no numbers.  SPDX-License-Identifier: Apache-2.0
for value in nan NaN inf -inf infinity; do
    refused 2 "isn't a number" say --temp $value hello
    refused 2 "isn't a number" say --sub-top-p $value hello
done
