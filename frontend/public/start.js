// Runs before the first paint, so that the page never flashes in another theme or size than was chosen. The page itself
// (src/app/theme.ts) goes on from here.
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('hearth.preferences')) || {};
  } catch {
    // Nothing that can be read was saved.
  }
  const dark = chosen.theme === 'dark' || (chosen.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  if (chosen.size === 'compact' || chosen.size === 'large') document.documentElement.dataset.size = chosen.size;
})();
