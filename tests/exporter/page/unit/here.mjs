// What the page's modules find in a browser, for tests of those that need only little of it. To be imported before them: static
// imports come in order. Locale and time zone are not those of the machine that runs the tests.

process.env.TZ = 'Europe/Berlin';
for (const name of ['NumberFormat', 'DateTimeFormat', 'Collator']) {
  const Format = Intl[name];
  Intl[name] = function (locale, options) {
    return new Format(locale ?? 'en-GB', options);
  };
}

globalThis.document = {baseURI: 'http://localhost/', hidden: false, addEventListener() {}, removeEventListener() {}};
globalThis.matchMedia = () => ({addEventListener() {}, removeEventListener() {}});
