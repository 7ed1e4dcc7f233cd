// The page's end of the bridge: what a window gives to the page that a browser does not. It runs before the page's own
// scripts. hearthWindow, in front of it, is what this window says of itself.
(() => {
  'use strict';

  const go = () => window.go.app.bridge;

  // The page shows where it was. Replacing the address before the page has begun needs no second load.
  if (hearthWindow.startAt && location.pathname === '/' && !location.search && !location.hash) {
    history.replaceState(history.state, '', hearthWindow.startAt);
  }

  const tell = () => {
    const shown = document.body ? getComputedStyle(document.body).backgroundColor : '';
    go().Went(location.pathname + location.search + location.hash, shown);
  };
  for (const name of ['pushState', 'replaceState']) {
    const original = history[name];
    history[name] = function (...given) {
      const result = original.apply(this, given);
      tell();
      return result;
    };
  }
  addEventListener('popstate', tell);
  addEventListener('hashchange', tell);
  addEventListener('load', tell);

  // When there was something to see, for the log.
  new PerformanceObserver((list, observer) => {
    if (!list.getEntriesByName('first-contentful-paint').length) return;
    observer.disconnect();
    requestAnimationFrame(() => go().Painted());
  }).observe({ type: 'paint', buffered: true });

  const outside = (url) => go().OpenExternal(String(url));
  // Compared by its parts: the origin of such an address is not the same text everywhere.
  const isOurs = (url) => url.protocol === location.protocol && url.host === location.host;

  // Wails shows no menu but over text. Where the window itself decides what a menu holds, a link can be copied with it.
  if (hearthWindow.ownMenu) document.documentElement.style.setProperty('--default-contextmenu', 'show');

  // A link that leads out of Hearth opens in the browser. One that the page has dealt with itself is left alone.
  const follow = (event) => {
    if (event.button > 1) return; // the third button opens a menu
    const link = event.defaultPrevented || !event.target.closest ? null : event.target.closest('a[href]');
    if (!link || !link.href || isOurs(new URL(link.href))) return;
    event.preventDefault();
    outside(link.href).catch(() => {}); // it opens nowhere, and stays a link
  };
  addEventListener('click', follow);
  addEventListener('auxclick', follow);
  window.open = (url) => {
    if (url) {
      const target = new URL(url, location.href);
      if (isOurs(target)) location.assign(target);
      else outside(target).catch(() => {});
    }
    return null;
  };

  // The web view dies, and Hearth with it, of a request whose body is a Blob or a form with a file. The page sends none.
  // Should one slip through, a Blob goes as plain bytes, and a form, which can't be read here either, fails by itself.
  const fetch = window.fetch;
  window.fetch = async (input, init) => {
    const body = init?.body;
    if (body instanceof FormData && [...body.values()].some((value) => value instanceof Blob)) {
      throw new TypeError('A form with a file can not be sent from the window: send the bytes of the file.');
    }
    if (!(body instanceof Blob)) return fetch(input, init);
    const headers = new Headers(init.headers);
    if (body.type && !headers.has('Content-Type')) headers.set('Content-Type', body.type);
    return fetch(input, { ...init, headers, body: await body.arrayBuffer() });
  };

  Object.defineProperty(window, 'hearth', {
    value: Object.freeze({
      version: hearthWindow.version,
      // chooseFolder asks for a folder: its absolute path, or null when the person thought better of it.
      chooseFolder: async ({ title = '', start = '' } = {}) => (await go().ChooseFolder(title, start)) || null,
      // saveFile asks where to, and writes the text there: the absolute path, or null.
      saveFile: async ({ title = '', name = '', text }) => (await go().SaveFile(title, name, text)) || null,
      // saveDownload asks where to, and writes what Hearth answers to a GET of the path there: the absolute path, or null.
      saveDownload: async ({ title = '', name = '', path }) => (await go().SaveDownload(title, name, path)) || null,
      // notify shows a notification: whether anything here shows them. A click leads to the address, which onOpen hears.
      notify: ({ title, body = '', tag = '', address }) => go().Notify(title, body, tag, address),
      onOpen: (heard) => window.runtime.EventsOn('hearth:open', heard),
      // desk tells what a tray or a dock shows of the page while nobody sees it. A key in the menu is open, mention, quit or an
      // address.
      desk: ({ unread, tip, menu, hidden, inTray, withoutOne }) =>
        go().Desk({ unread, tip, menu, hidden, in_tray: inTray, without_one: withoutOne }),
      // onMention hears that the person wants to write to an agent, also when they wanted it before there was a page.
      onMention: (heard) => {
        const ask = async () => { if (await go().Mentioning()) heard(); };
        const end = window.runtime.EventsOn('hearth:mention', ask);
        ask();
        return end;
      },
      // goesOn is whether closing the window leaves Hearth going on in the background; setGoesOn changes it.
      goesOn: () => go().GoesOn(),
      setGoesOn: (on) => go().SetGoesOn(on),
      // openExternal opens an http, https or mailto link in the browser.
      openExternal: outside,
    }),
  });
})();
