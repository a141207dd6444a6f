# Lists that aren't any.  SPDX-License-Identifier: Apache-2.0
for list in "" , 1, ,1 1,,2 x 1x 1-2x 2-1 1-4+0 1-4*1 0-4*2 -1 257 1-257 1-257*2 0-64 99999999999 "1 2" 1-4- 1.5; do
    refused 2 "isn't a list of at most 64 numbers" bench "--threads=$list" -r 1
    refused 2 "--codec-threads: '$list' isn't a list of at most 64 numbers" bench "--codec-threads=$list" -r 1
done
# as many threads as a model takes, for the limits too
refused 2 "--threads: '300' isn't a list of at most 64 numbers from 0 to 256" bench limits -t 300
refused 2 "--threads: '300' isn't a list of at most 64 numbers from 0 to 256" bench -t 300
