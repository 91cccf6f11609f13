/** The OpenAPI 3.1 document, from the same schemas that validate (api.md, HTTP). */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { CLIENT_HEADER } from './access.ts';

/** Call it once all routes are there. */
export function openApiDocument(app: OpenAPIHono, version: string): Record<string, unknown> {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'AUTH_TOKEN, or the file auth-token in the data folder.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: 'astroresearch-PORT',
    description: `Given by POST /api/login; calls that change something also need the header ${CLIENT_HEADER}.`,
  });
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'AstroResearch',
      version,
      description: 'Errors are `{"error": {code, message, details?}}`; `message` says what to do.',
    },
  });
  return { ...document };
}
