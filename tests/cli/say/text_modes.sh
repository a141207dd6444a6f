# Streaming and full are different prompts; auto is full here.  SPDX-License-Identifier: Apache-2.0
same "$(say --format md5 --text-mode auto hello there)" "$(say --format md5 --text-mode full hello there)"
differ "$(say --format md5 --text-mode streaming hello there)" "$(say --format md5 --text-mode full hello there)"
