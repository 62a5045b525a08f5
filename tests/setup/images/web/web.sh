#!/bin/sh
# A small web app: / says who it is, /health answers 200, one log line a second.
# START_DELAY: seconds before it listens. GREETING: a word on the page. /data, when mounted, keeps the visits.
trap 'echo "INFO stopping"; kill "$server" "$ticker" 2>/dev/null; exit 0' TERM INT

echo "INFO starting with greeting ${GREETING:-none}"
sleep "${START_DELAY:-0}"
httpd -f -p "$PORT" -h /app/www -c /app/www/httpd.conf &
server=$!
echo "INFO listening on port $PORT"
(
  count=0
  while :; do
    count=$((count + 1))
    echo "INFO tick $count"
    [ $((count % 10)) -ne 0 ] || echo "WARN tick $count is a round number" >&2
    sleep 1
  done
) &
ticker=$!
wait "$server"
