# Words that bench doesn't know.  SPDX-License-Identifier: Apache-2.0
refused 2 "'limit' is too much; bench takes \`limits\` or nothing" bench limit
refused 2 "'now' is too much" bench limits now
