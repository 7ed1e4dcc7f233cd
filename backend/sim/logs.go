package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// pasted is a kind of log that people paste: what they say about it, and lines of
// it. In a line, %d is any number and %x a few hexadecimal digits.
type pasted struct {
	intro string
	lines []string
}

var logKinds = []pasted{
	{"this is the failing run:", []string{
		"=== RUN   TestRetryAfter/case_%d", "    retry_test.go:%d: attempt 1 at 0s, attempt 2 at %dms", "    retry_test.go:%d: deadline exceeded after %dms",
		"--- FAIL: TestRetryAfter/case_%d (%d.00s)", "FAIL\texample.test/api/retry\t%d.412s",
	}},
	{"서버 로그예요, 같은 시각에 세 번 나와요", []string{
		"level=WARN msg=\"slow request\" route=/v1/items ms=%d id=%x", "level=ERROR msg=\"write: broken pipe\" conn=%d id=%x",
		"level=INFO msg=\"retrying\" attempt=%d after=%dms", "level=ERROR msg=\"giving up\" route=/v1/items status=503 id=%x",
	}},
	{"実行計画です", []string{
		"Sort  (cost=%d.42..%d.10 rows=%d width=88)", "  ->  Seq Scan on items  (cost=0.00..%d.00 rows=%d width=88)",
		"        Filter: (account_id = %d)", "        Rows Removed by Filter: %d", "  Buffers: shared hit=%d read=%d",
	}},
	{"from the ingress, a minute of it:", []string{
		"10.4.%d.%d - - \"GET /v1/items?page=%d HTTP/1.1\" 200 %d", "10.4.%d.%d - - \"POST /v1/session HTTP/1.1\" 401 %d",
		"10.4.%d.%d - - \"GET /healthz HTTP/1.1\" 503 %d", "upstream timed out while reading from 10.4.%d.%d:8080",
	}},
	{"kubectl describe, the lower part:", []string{
		"Warning  Unhealthy  %dm (x%d over %dm)  kubelet  Liveness probe failed: context deadline exceeded",
		"Normal   Killing    %dm (x%d over %dm)  kubelet  Container web failed liveness probe, will be restarted",
		"Normal   Pulled     %dm (x%d over %dm)  kubelet  Container image \"web:%x\" already present on machine",
	}},
	{"यह रहा ट्रेस", []string{
		"Traceback (most recent call last):", "  File \"/app/worker/export.py\", line %d, in run", "    rows = fetch(batch, timeout=%d)",
		"  File \"/app/worker/db.py\", line %d, in fetch", "    raise PoolTimeout(waited=%d)", "PoolTimeout: no connection after %d s",
	}},
	{"سجل البناء", []string{
		"#%d [build %d/9] RUN npm ci --prefer-offline", "#%d %d.21 npm warn deprecated inflight@1.0.6: leaks memory",
		"#%d %d.80 added %d packages in %ds", "#%d ERROR: process did not complete successfully: exit code: %d",
	}},
	{"heap after an hour, top of the list:", []string{
		"  %d.18MB  %d.4%%  example.test/api/cache.(*Store).put", "  %d.02MB  %d.1%%  encoding/json.(*decodeState).literalStore",
		"  %d.55MB  %d.9%%  net/http.(*persistConn).readLoop", "  %d.31MB  %d.0%%  example.test/api/session.decode",
	}},
}

// paste makes a log of a kind: so many characters at least.
func paste(kind pasted, characters int, random *rand.Rand) string {
	var text strings.Builder
	text.WriteString(kind.intro + "\n```\n")
	count := utf8.RuneCountInString(kind.intro) + 5
	for i := 0; count < characters; i++ {
		line := kind.lines[i%len(kind.lines)]
		for _, verb := range []string{"%d", "%x"} {
			for strings.Contains(line, verb) {
				value := fmt.Sprint(1 + random.IntN(60))
				if verb == "%x" {
					value = fmt.Sprintf("%06x", random.IntN(1<<24))
				}
				line = strings.Replace(line, verb, value, 1)
			}
		}
		line = strings.ReplaceAll(line, "%%", "%") + "\n"
		text.WriteString(line)
		count += utf8.RuneCountInString(line)
	}
	text.WriteString("```")
	return text.String()
}
