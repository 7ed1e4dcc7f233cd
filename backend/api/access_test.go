package api

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// guarded is an API behind its access, with a browser that is signed in.
type guarded struct {
	*Access
	handler http.Handler
	cookie  string
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	h := newHouse(t)
	h.furnish(t)
	g := &guarded{Access: NewAccess("127.0.0.1:4321")}
	g.handler = g.Middleware(h.handler)
	a := g.open(t, g.OneTimeURL())
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/" {
		t.Fatalf("open the one-time URL: %d %v", a.status, a.header)
	}
	g.cookie, _, _ = strings.Cut(a.header.Get("Set-Cookie"), ";")
	return g
}

func (g *guarded) open(t *testing.T, address string, headers ...string) answer {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || u.Host != "127.0.0.1:4321" || u.Scheme != "http" {
		t.Fatalf("one-time URL %q", address)
	}
	return call(g.handler, "GET", u.RequestURI(), "", headers...)
}

// Who is nobody is told what to do, be it a program or a browser.
func TestAccessSaysWhatToDo(t *testing.T) {
	g := newGuarded(t)
	detail := call(g.handler, "GET", "/api/channels", "").problem(t).Detail
	for _, wanted := range []string{"Authorization: Bearer TOKEN", "server.json", "hearth open"} {
		if !strings.Contains(detail, wanted) {
			t.Errorf("does not say %q: %s", wanted, detail)
		}
	}
}

func TestAccess(t *testing.T) {
	g := newGuarded(t)
	bearer := "Bearer " + g.Token()
	const origin, asJSON = "http://127.0.0.1:4321", "application/json"
	body := `{"body":"hello"}`
	post := "/api/channels/c1/messages"
	for _, test := range []struct {
		name         string
		method, path string
		headers      []string
		want         int
	}{
		// Without a secret there are health and the page, and nothing else.
		{"health", "GET", "/api/health", nil, 200},
		{"page", "GET", "/", nil, 200},
		{"route of the app", "GET", "/channels/c1", nil, 200},
		{"asset", "GET", "/assets/a1b2.js", nil, 200},
		{"nothing shown", "GET", "/api/channels", nil, 401},
		{"nothing shown, unknown path", "GET", "/api/nothing", nil, 401},
		{"nothing shown, document", "GET", "/api/openapi.json", nil, 401},
		{"nothing shown, events", "GET", "/api/events", nil, 401},
		{"nothing shown, post", "POST", post, []string{"Content-Type", asJSON}, 401},
		{"nothing shown, invite", "POST", "/api/session", nil, 401},
		{"more than health", "GET", "/api/health/../channels", nil, 401},
		{"spelled otherwise", "GET", "/%61pi/channels", nil, 401},
		{"not the API to anyone", "GET", "//api/channels", nil, 200}, // the page

		// A program.
		{"token", "GET", "/api/channels", []string{"Authorization", bearer}, 200},
		{"token, any case", "GET", "/api/channels", []string{"Authorization", "bearer " + g.Token()}, 200},
		{"token, post", "POST", post, []string{"Authorization", bearer, "Content-Type", asJSON}, 201},
		{"wrong token", "GET", "/api/channels", []string{"Authorization", "Bearer " + g.Token()[:42] + "!"}, 401},
		{"empty token", "GET", "/api/channels", []string{"Authorization", "Bearer "}, 401},
		{"token of another kind", "GET", "/api/channels", []string{"Authorization", "Basic " + g.Token()}, 401},
		{"wrong token with a good cookie", "GET", "/api/channels", []string{"Authorization", "Bearer x", "Cookie", g.cookie}, 401},
		{"token in the address", "GET", "/api/channels?token=" + g.Token(), nil, 401},

		// A browser.
		{"cookie", "GET", "/api/channels", []string{"Cookie", g.cookie}, 200},
		{"cookie of another program beside it", "GET", "/api/channels", []string{"Cookie", sessionCookie + "=x; " + g.cookie}, 200},
		{"wrong cookie", "GET", "/api/channels", []string{"Cookie", sessionCookie + "=x"}, 401},
		{"the token as a cookie", "GET", "/api/channels", []string{"Cookie", sessionCookie + "=" + g.Token()}, 401},
		{"cookie, post from our page", "POST", post, []string{"Cookie", g.cookie, "Origin", origin, "Content-Type", asJSON}, 201},
		{"cookie, post, browser says so", "POST", post, []string{"Cookie", g.cookie, "Sec-Fetch-Site", "same-origin", "Content-Type", asJSON}, 201},
		{"cookie, post from nowhere", "POST", post, []string{"Cookie", g.cookie, "Content-Type", asJSON}, 403},
		{"cookie, post typed by the person", "POST", post, []string{"Cookie", g.cookie, "Sec-Fetch-Site", "none", "Content-Type", asJSON}, 403},
		{"cookie, post from another page", "POST", post, []string{"Cookie", g.cookie, "Origin", "https://evil.example", "Content-Type", asJSON}, 403},
		{"cookie, post from another port", "POST", post, []string{"Cookie", g.cookie, "Origin", "http://127.0.0.1:4322", "Content-Type", asJSON}, 403},
		{"cookie, post from a sandboxed page", "POST", post, []string{"Cookie", g.cookie, "Origin", "null", "Content-Type", asJSON}, 403},
		{"cookie, post, same site only", "POST", post, []string{"Cookie", g.cookie, "Sec-Fetch-Site", "same-site", "Content-Type", asJSON}, 403},
		{"cookie, delete from nowhere", "DELETE", "/api/bindings/b2", []string{"Cookie", g.cookie}, 403},
		{"cookie, read by another site", "GET", "/api/channels", []string{"Cookie", g.cookie, "Sec-Fetch-Site", "cross-site"}, 403},
		{"token, from another page", "GET", "/api/channels", []string{"Authorization", bearer, "Origin", "https://evil.example"}, 403},

		// Names of this machine, and those that are not.
		{"localhost", "GET", "/api/health", []string{"Host", "localhost:4321"}, 200},
		{"LocalHost", "GET", "/api/health", []string{"Host", "LocalHost:4321"}, 200},
		{"no port", "GET", "/api/health", []string{"Host", "127.0.0.1"}, 200},
		{"IPv6", "GET", "/api/health", []string{"Host", "[::1]:4321"}, 200},
		{"IPv6, no port", "GET", "/api/health", []string{"Host", "[::1]"}, 200},
		{"the window", "GET", "/api/health", []string{"Host", "wails"}, 200},
		{"the window's origin", "POST", post, []string{"Host", "wails", "Origin", "wails://wails", "Cookie", g.cookie, "Content-Type", asJSON}, 201},
		{"another origin at the window", "POST", post, []string{"Host", "wails", "Origin", "http://wails:80", "Cookie", g.cookie, "Content-Type", asJSON}, 403},
		{"rebound name", "GET", "/api/health", []string{"Host", "evil.example:4321"}, 403},
		{"rebound name, token", "GET", "/api/channels", []string{"Host", "evil.example", "Authorization", bearer}, 403},
		{"rebound name, page", "GET", "/", []string{"Host", "evil.example"}, 403},
		{"name that begins like ours", "GET", "/", []string{"Host", "localhost.evil.example"}, 403},
		{"name that ends like ours", "GET", "/", []string{"Host", "evil.localhost"}, 403},
		{"rooted name", "GET", "/", []string{"Host", "localhost."}, 403},
		{"number that is ours in other words", "GET", "/", []string{"Host", "2130706433"}, 403},
		{"any address", "GET", "/", []string{"Host", "0.0.0.0:4321"}, 403},
		{"window with a port", "GET", "/", []string{"Host", "wails:80"}, 403},
		{"no port after the colon", "GET", "/", []string{"Host", "127.0.0.1:"}, 403},
		{"port that is none", "GET", "/", []string{"Host", "127.0.0.1:80a"}, 403},
		{"bare IPv6", "GET", "/", []string{"Host", "::1"}, 403},
		{"no name", "GET", "/", []string{"Host", ""}, 403},
		{"origin of our port by another name", "POST", post, []string{"Cookie", g.cookie, "Origin", "http://localhost:4321", "Content-Type", asJSON}, 403},
		{"origin with https", "POST", post, []string{"Cookie", g.cookie, "Origin", "https://127.0.0.1:4321", "Content-Type", asJSON}, 403},
		{"origin with a name in it", "GET", "/api/health", []string{"Origin", "http://u@127.0.0.1:4321"}, 403},
		{"origin that can't be read", "GET", "/api/health", []string{"Origin", "http://[::1"}, 403},

		{"invite by a program", "POST", "/api/session", []string{"Authorization", bearer}, 200},
		{"invite by the page", "POST", "/api/session", []string{"Cookie", g.cookie, "Origin", origin}, 200},
		{"invite by reading", "GET", "/api/session", []string{"Authorization", bearer}, 405},
	} {
		t.Run(test.name, func(t *testing.T) {
			sent := ""
			if test.method == "POST" && test.path == post {
				sent = body
			}
			headers := test.headers
			if headers == nil {
				headers = []string{"X-Nothing", ""}
			}
			if test.path == "/api/events" && test.want == 200 {
				t.Fatal("would never end")
			}
			a := call(g.handler, test.method, test.path, sent, headers...)
			if a.status != test.want {
				t.Fatalf("got %d %s, want %d", a.status, a.body, test.want)
			}
			if a.status >= 400 {
				a.problem(t)
			}
			for name, want := range securityHeaders {
				if got := a.header.Values(name); len(got) != 1 || got[0] != want {
					t.Errorf("%s: %v", name, got)
				}
			}
			if a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("other pages may read this")
			}
			if (a.status == http.StatusUnauthorized) != (a.header.Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate: %q", a.header.Get("WWW-Authenticate"))
			}
		})
	}
}

func TestOnlyThisMachine(t *testing.T) {
	g := newGuarded(t)
	for peer, want := range map[string]int{
		"127.0.0.1:1": 200, "127.8.9.1:1": 200, "[::1]:1": 200, "[::ffff:127.0.0.1]:1": 200,
		"192.168.1.7:1": 403, "[fe80::1]:1": 403, "[::ffff:10.0.0.1]:1": 403, "0.0.0.0:1": 403, "": 403, "@": 403,
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/api/health", nil)
		r.Host, r.RemoteAddr = "127.0.0.1:4321", peer
		w := httptest.NewRecorder()
		g.handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%q: %d, want %d", peer, w.Code, want)
		}
	}
}

func TestOneTimeURL(t *testing.T) {
	g := newGuarded(t)
	link := g.OneTimeURL()
	a := g.open(t, strings.Replace(link, "/?", "/channels/c1?thread=r3&", 1))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/channels/c1?thread=r3" {
		t.Fatalf("got %d %v", a.status, a.header)
	}
	cookie := must(http.ParseSetCookie(a.header.Get("Set-Cookie")))
	if cookie.Name != sessionCookie || !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Domain != "" || len(cookie.Value) != 43 {
		t.Errorf("cookie %+v", cookie)
	}
	if a.header.Get("Cache-Control") != "no-store" {
		t.Error("the redirect may be kept")
	}
	if a := g.open(t, link); a.status != http.StatusUnauthorized || a.header.Get("Set-Cookie") != "" || !strings.Contains(a.body, "hearth open") {
		t.Errorf("a second time: %d %v %s", a.status, a.header, a.body)
	}
	// The same link in a browser that is signed in just goes on.
	if a := g.open(t, link, "Cookie", g.cookie); a.status != http.StatusSeeOther || a.header.Get("Set-Cookie") != "" {
		t.Errorf("signed in: %d %v", a.status, a.header)
	}
	for _, wrong := range []string{"", g.Token(), "x"} {
		if a := g.open(t, "http://127.0.0.1:4321/?token="+wrong); a.status != http.StatusUnauthorized {
			t.Errorf("token %q: %d", wrong, a.status)
		}
	}
	// What looks at a link ahead of the person does not spend it.
	link = g.OneTimeURL()
	if a := call(g.handler, "HEAD", strings.TrimPrefix(link, "http://127.0.0.1:4321"), ""); a.status != 200 {
		t.Errorf("HEAD: %d", a.status)
	}
	if a := g.open(t, link); a.status != http.StatusSeeOther {
		t.Errorf("after HEAD: %d", a.status)
	}
	// It leads nowhere else.
	for _, path := range []string{"//evil.example/", "/%5Cevil.example/", "///evil.example", `/\evil.example`} {
		link := g.OneTimeURL()
		_, token, _ := strings.Cut(link, "token=")
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.Host, r.RemoteAddr = "127.0.0.1:4321", "127.0.0.1:1"
		r.URL.Path, r.URL.RawQuery = must(url.PathUnescape(path)), "token="+token
		w := httptest.NewRecorder()
		g.handler.ServeHTTP(w, r)
		to := must(url.Parse(w.Header().Get("Location")))
		if w.Code != http.StatusSeeOther || to.Host != "" || to.Scheme != "" || strings.HasPrefix(w.Header().Get("Location"), "//") {
			t.Errorf("%s leads to %q (%d)", path, w.Header().Get("Location"), w.Code)
		}
	}
}

func TestSecretsAreBounded(t *testing.T) {
	g := newGuarded(t)
	first := g.OneTimeURL()
	for range maxOneTime {
		g.OneTimeURL()
	}
	if a := g.open(t, first); a.status != http.StatusUnauthorized {
		t.Errorf("the oldest one-time URL is still good: %d", a.status)
	}
	newest := ""
	for range maxSessions {
		newest, _, _ = strings.Cut(g.open(t, g.OneTimeURL()).header.Get("Set-Cookie"), ";")
	}
	if a := call(g.handler, "GET", "/api/channels", "", "Cookie", g.cookie); a.status != http.StatusUnauthorized {
		t.Errorf("the oldest session is still good: %d", a.status)
	}
	if a := call(g.handler, "GET", "/api/channels", "", "Cookie", newest); a.status != http.StatusOK {
		t.Errorf("the newest session is not good: %d", a.status)
	}
	if len(g.oneTime) > maxOneTime || len(g.sessions) > maxSessions {
		t.Errorf("%d one-time URLs, %d sessions", len(g.oneTime), len(g.sessions))
	}
}

func TestStartsDiffer(t *testing.T) {
	a, b := NewAccess("127.0.0.1:1"), NewAccess("127.0.0.1:1")
	if a.Token() == b.Token() || len(a.Token()) != 43 || a.OneTimeURL() == b.OneTimeURL() {
		t.Error("secrets repeat or are short")
	}
}

// Over a real socket: what a client sees, with the server's own idea of Host and
// of the peer's address.
func TestAccessOverASocket(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	access := NewAccess(listener.Addr().String())
	server := httptest.NewUnstartedServer(access.Middleware(h.handler))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	defer server.Close()
	client := server.Client()

	jar := map[string]string{}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response := must(client.Get(access.OneTimeURL()))
	response.Body.Close()
	for _, c := range response.Cookies() {
		jar[c.Name] = c.Value
	}
	r := must(http.NewRequestWithContext(t.Context(), "POST", access.OneTimeURL(), nil))
	r.URL.Path, r.URL.RawQuery = sessionPath, ""
	r.AddCookie(&http.Cookie{Name: sessionCookie, Value: jar[sessionCookie]})
	r.Header.Set("Origin", "http://"+listener.Addr().String())
	response = must(client.Do(r))
	defer response.Body.Close()
	var got struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(must(io.ReadAll(response.Body)), &got); err != nil || !strings.HasPrefix(got.URL, "http://"+listener.Addr().String()+"/?token=") {
		t.Fatalf("%d %+v %v", response.StatusCode, got, err)
	}
}
