package api

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
)

const (
	sessionCookie = "hearth_session"
	sessionPath   = "/api/session"
	healthPath    = "/api/health"
	// desktopHost is how the window names itself.
	desktopHost = "wails"
	// How many browsers can be signed in, and how many one-time URLs can wait to
	// be opened; the oldest goes. Only this person's browsers count.
	maxSessions = 64
	maxOneTime  = 16
)

// Access decides who may call over a socket. Any web page can make a browser
// send requests to loopback, so an address alone proves nothing: the caller's
// address must be this machine's, Host must name it (a page whose name was made
// to resolve to 127.0.0.1 shows its own), Origin must be ours, and the caller
// must show a secret of this start: the token, or the cookie that a one-time URL
// was changed for.
//
// Only two things are to be had without a secret: the page's files, which hold
// none, and /api/health, which says that Hearth is there.
type Access struct {
	address string
	token   string

	mutex    sync.Mutex
	oneTime  []digest // not opened yet, oldest first
	sessions []digest // oldest first
}

// digest is what is kept of a secret: comparing digests takes the same time
// whatever was guessed right.
type digest = [sha256.Size]byte

// NewAccess makes the secrets of one start. The address is the host and port
// that Hearth listens on, for the URLs it gives out.
func NewAccess(address string) *Access {
	return &Access{address: address, token: secret()}
}

// secret returns 32 random bytes as text that can stand in URLs and headers.
func secret() string {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // documented never to return an error
	return base64.RawURLEncoding.EncodeToString(random)
}

// Token is what a program sends as Authorization: Bearer.
func (a *Access) Token() string { return a.token }

// OneTimeURL returns a URL that signs one browser in, once. The newest 16 that
// were not opened are good.
func (a *Access) OneTimeURL() string {
	token := secret()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.oneTime = remember(a.oneTime, token, maxOneTime)
	return "http://" + a.address + "/?token=" + token
}

// Middleware lets the rightful through to the handler.
func (a *Access) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), r.URL.Path)
		if p := foreign(r); p != nil {
			writeProblem(w, p)
			return
		}
		if !isAPI(r.URL.Path) {
			if r.Method == http.MethodGet && r.URL.Query().Has("token") {
				a.redeem(w, r)
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		if r.URL.Path == healthPath {
			next.ServeHTTP(w, r)
			return
		}
		if p := a.authenticate(r); p != nil {
			if p.Status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer realm="Hearth"`)
			}
			writeProblem(w, p)
			return
		}
		if r.URL.Path == sessionPath {
			a.invite(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreign says why a request is not from this machine's own programs and pages;
// nil when it may be.
func foreign(r *http.Request) *Problem {
	if peer, err := netip.ParseAddrPort(r.RemoteAddr); err != nil || !peer.Addr().Unmap().IsLoopback() {
		return newProblem(http.StatusForbidden, "Hearth answers this machine only. Call it from here, on 127.0.0.1.")
	}
	if !ownHost(r.Host) {
		return newProblem(http.StatusForbidden, "Hearth answers to 127.0.0.1, localhost and [::1] only. Use one of these in the address.")
	}
	if origin := r.Header.Get("Origin"); origin != "" && !ownOrigin(origin, r.Host) {
		return newProblem(http.StatusForbidden, "This request comes from another web page ("+bounded(origin)+"). Use Hearth's own page or the command line.")
	}
	// A browser says so itself when a page of another site, or of another port of
	// this machine, asks.
	if site := r.Header.Get("Sec-Fetch-Site"); isAPI(r.URL.Path) && (site == "cross-site" || site == "same-site") {
		return newProblem(http.StatusForbidden, "This request comes from another web page. Use Hearth's own page or the command line.")
	}
	return nil
}

// ownHost says whether a Host header names this machine by a name that nobody
// else can give it.
func ownHost(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if port == "" || strings.Trim(port, "0123456789") != "" {
			return false
		}
		name = h
		if strings.Contains(h, ":") {
			name = "[" + h + "]"
		}
	}
	return name == "127.0.0.1" || name == "[::1]" || strings.EqualFold(name, "localhost") || host == desktopHost
}

func ownOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	if host == desktopHost {
		return (u.Scheme == "http" || u.Scheme == desktopHost) && u.Host == desktopHost
	}
	return u.Scheme == "http" && strings.EqualFold(u.Host, host)
}

// authenticate says why a request to the API may not pass; nil when it may.
func (a *Access) authenticate(r *http.Request) *Problem {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, given, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") || !same(hash(strings.TrimSpace(given)), hash(a.token)) {
			return newProblem(http.StatusUnauthorized, "The token is not the one of this start of Hearth. Read it anew from server.json in the data folder.")
		}
		return nil
	}
	if !a.signedIn(r) {
		return newProblem(http.StatusUnauthorized, "The request does not say who it is from. A program sends `Authorization: Bearer TOKEN` with the token from server.json in the data folder; in a browser, open the URL that `hearth open` prints.")
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return nil
	}
	// A cookie is sent whoever made the browser send it: what changes something
	// must show that our own page did. foreign has compared Origin already.
	if r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return newProblem(http.StatusForbidden, "The request does not say which page it comes from. Use Hearth's own page, or a program with the token.")
	}
	return nil
}

// signedIn says whether a request carries a session's cookie. Cookies are shared
// among the ports of a host, so there may be another program's of that name.
func (a *Access) signedIn(r *http.Request) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, cookie := range r.CookiesNamed(sessionCookie) {
		if find(a.sessions, cookie.Value) >= 0 {
			return true
		}
	}
	return false
}

// redeem changes a one-time token for a session and goes on to the same page
// without it, so that it stays in no history and no bookmark.
func (a *Access) redeem(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	given := query.Get("token")
	query.Del("token")
	// One slash only: two would make a host of what follows.
	target := &url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: query.Encode()}
	w.Header().Set("Cache-Control", "no-store")

	a.mutex.Lock()
	at := find(a.oneTime, given)
	session := secret()
	if at >= 0 {
		a.oneTime = append(a.oneTime[:at], a.oneTime[at+1:]...)
		a.sessions = remember(a.sessions, session, maxSessions)
	}
	a.mutex.Unlock()

	switch {
	case at >= 0:
		http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	case !a.signedIn(r):
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("This link was used already, or is of an earlier start of Hearth.\n\nRun `hearth open` in a terminal for a new one.\n"))
		return
	}
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusSeeOther)
}

// invite answers POST /api/session with a new one-time URL.
func (a *Access) invite(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		writeProblem(w, newProblem(http.StatusMethodNotAllowed, "This path takes POST only. Use that."))
		return
	}
	text, err := json.Marshal(map[string]string{"url": a.OneTimeURL()})
	if err != nil {
		writeProblem(w, newProblem(http.StatusInternalServerError, "The URL could not be written: "+sentence(err.Error())+" Try again."))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // a caller that went away has no use for the error
}

func hash(s string) digest { return sha256.Sum256([]byte(s)) }

func same(a, b digest) bool { return subtle.ConstantTimeCompare(a[:], b[:]) == 1 }

// find returns where a secret is among the kept ones, -1 when it is not. It
// looks at all of them.
func find(kept []digest, given string) int {
	at := -1
	for i, d := range kept {
		if same(d, hash(given)) {
			at = i
		}
	}
	return at
}

func remember(kept []digest, given string, limit int) []digest {
	if len(kept) >= limit {
		kept = append(kept[:0], kept[len(kept)-limit+1:]...)
	}
	return append(kept, hash(given))
}
