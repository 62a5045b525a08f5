#!/bin/sh
# Starts Chromium deaf to networks that come and go; what Playwright is given as the browser.
exec "$TEST_BUN" "${0%/*}/without-netlink.ts" "$TEST_CHROMIUM" "$@"
