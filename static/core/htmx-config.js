// How htmx behaves here. It reads this once the page has loaded, after every module has run.

Object.assign(htmx.config, {
  // What the Content-Security-Policy forbids anyway.
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  // The back button loads the page anew: nothing that was on it is kept in the browser.
  historyCacheSize: 0,
  historyRestoreAsHxRequest: false,
  defaultSettleDelay: 0,
  reportValidityOfForms: true,
  timeout: 20000,
  // Forms with errors are swapped in; of any other error its sentence becomes a toast.
  responseHandling: [
    { code: "204", swap: false },
    { code: "[23]..", swap: true },
    { code: "(401|409|422)", swap: true },
    {
      code: "[45]..",
      swap: true,
      target: "#toasts",
      swapOverride: "innerHTML",
      select: "#error, .errorlist.nonfield",
      ignoreTitle: true,
      error: true,
    },
  ],
});
