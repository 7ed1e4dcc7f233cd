// Tells when the page was first painted: after the frame that follows the first one with something in it.
new PerformanceObserver((list, observer) => {
  if (!list.getEntriesByName('first-contentful-paint').length) return;
  observer.disconnect();
  requestAnimationFrame(() => fetch('/api/say', {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'painted', data: Math.round(performance.now()) }),
  }));
}).observe({ type: 'paint', buffered: true });
