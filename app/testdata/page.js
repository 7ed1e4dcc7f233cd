// The test page tells the test, through the window's handler, what it sees, and does what the test tells it to.
'use strict';

const say = (kind, data) => {
  document.getElementById('log').textContent += `${kind} ${JSON.stringify(data ?? null)} · `;
  return fetch('/api/say', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ kind, data: data ?? null }),
  });
};

const actions = {
  stream: async () => {
    const reader = (await fetch('/api/stream')).body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      await say('chunk', decoder.decode(value, { stream: true }));
    }
    await say('streamed');
  },
  hold: async () => say('held', await (await fetch('/api/hold')).text()),
  go: async ({ to }) => { history.pushState(null, '', to); await say('went', location.pathname); },
  reload: async () => location.reload(),
  leave: async ({ to }) => { location.href = to; },
  popup: async ({ to }) => say('popup', window.open(to) === null),
  click: async ({ id }) => document.getElementById(id).click(),
  choose: async () => say('chosen', await window.hearth.chooseFolder({ title: 'Test: choose' })),
  save: async ({ name, text }) => say('saved', await window.hearth.saveFile({ title: 'Test: save', name, text })),
  notify: async (n) => say('notified', await window.hearth.notify(n).catch((e) => String(e))),
  download: async ({ name, path }) => say('saved', await window.hearth.saveDownload({ title: 'Test: save', name, path }).catch((e) => String(e))),
  external: async ({ to }) => say('external', await window.hearth.openExternal(to).then(() => 'opened', (e) => String(e))),
  blob: async () => fetch('/api/body', { method: 'POST', body: new Blob(['a blob'], { type: 'text/x-blob' }) }),
  form: async () => {
    const form = new FormData();
    form.append('file', new File(['a file'], 'name.txt'));
    return say('form', await fetch('/api/body', { method: 'POST', body: form }).then(() => 'sent', (e) => String(e)));
  },
  plain: async () => fetch('/api/body', { method: 'POST', headers: { 'X-Own': 'kept' }, body: new Uint8Array([0, 255, 10]) }),
  panic: async () => say('panicked', (await fetch('/api/panic')).status),
  store: async ({ value }) => { localStorage.setItem('draft', value); await say('stored'); },
  dark: async () => say('dark', dark.matches),
  desk: async (state) => say('told', await window.hearth.desk(JSON.parse(state.state)).then(() => 'taken', (e) => String(e))),
  goesOn: async ({ on }) => {
    if (on) await window.hearth.setGoesOn(on === 'yes');
    await say('goes on', await window.hearth.goesOn());
  },
  zoom: async () => say('zoom', [devicePixelRatio, innerWidth]),
};

document.getElementById('stopped').addEventListener('click', (event) => { event.preventDefault(); say('stopped'); });
document.getElementById('blank').addEventListener('contextmenu', (event) => { event.preventDefault(); say('menu'); });
document.getElementById('composer').addEventListener('input', (event) => say('typed', event.target.value));

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => say('dark', dark.matches));

window.hearth?.onOpen((address) => say('open', address));

window.hearth?.onMention(() => say('mention'));

const events = new EventSource('/api/events');
events.addEventListener('ready', () => say('ready'));
events.addEventListener('tick', (event) => say('tick', event.data));
events.addEventListener('do', (event) => {
  const action = JSON.parse(event.data);
  actions[action.do](action).catch((error) => say('failed', [action.do, String(error)]));
});

say('loaded', {
  address: location.pathname + location.search + location.hash, secure: isSecureContext, version: window.hearth?.version,
  bridge: Object.keys(window.hearth ?? {}).sort(), draft: localStorage.getItem('draft'), uuid: typeof crypto.randomUUID,
});
