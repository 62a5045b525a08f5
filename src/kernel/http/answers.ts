/**
 * What the API document says of routes whose answer, or request, is no JSON. Spread into the route. Made anew for each
 * route: Elysia writes the route's rule into this very object, and with a shared one the last rule would hold for all.
 */

/** For a route that answers 204 and nothing else. */
export const noContent = () => ({ detail: { responses: { 204: { description: "Done" } } } });

/** For a route that leads a browser on. */
export const redirects = () => ({ detail: { responses: { 302: { description: "Leads on to a page" } } } });

/** For a route that answers something of another media type, such as `text/event-stream`. */
export const answersAs = (mediaType: string) => ({
  detail: { responses: { 200: { description: "Success", content: { [mediaType]: {} } } } },
});

/** For a route that takes one file as multipart field `field`. */
export const takesFile = (field: string) => ({
  detail: {
    requestBody: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            type: "object" as const,
            required: [field],
            properties: { [field]: { type: "string" as const, format: "binary" } },
          },
        },
      },
    },
  },
});

/** For a route that takes bytes as they are. */
export const takesBytes = () => ({
  detail: {
    requestBody: {
      required: true,
      content: { "application/octet-stream": { schema: { type: "string" as const, format: "binary" } } },
    },
  },
});
