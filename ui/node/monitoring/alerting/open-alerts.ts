/** What the home page asks for: the alerts that are open. */
export const openAlerts = { query: { state: "firing", limit: 20 } };
