import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Auth } from "./auth";
import { clientAddress } from "./client-address";
import { fetchMetadata } from "./fetch-metadata";

/** More than any request of this service needs, metadata and all. */
const maxBodyBytes = 1024 * 1024;

export type App = Hono<{ Bindings: HttpBindings }>;

/** The HTTP side of the server. */
export function createApp(auth: Auth): App {
	const app: App = new Hono();
	app.use(clientAddress);
	app.use(fetchMetadata);
	app.use(bodyLimit({ maxSize: maxBodyBytes, onError: () => errorResponse(413) }));
	app.get("/", (c) => c.text(directions));
	app.all("/api/auth/*", async (c) => withErrorBody(await auth.handler(c.req.raw)));
	app.notFound(() => errorResponse(404));
	app.onError((error) => {
		console.error(error);
		return errorResponse(500);
	});
	return app;
}

const directions = `This is an authentication server.

  /api/auth                            its endpoints
  /api/auth/reference                  their documentation
  /api/auth/open-api/generate-schema   the same as an OpenAPI document
  /api/auth/ok                         whether it is up
`;

const errors = {
	404: { code: "NOT_FOUND", message: "There is nothing at this address" },
	413: { code: "PAYLOAD_TOO_LARGE", message: `The body is larger than ${maxBodyBytes} bytes` },
	500: { code: "INTERNAL_SERVER_ERROR", message: "Something went wrong on the server" },
};

function errorResponse(status: keyof typeof errors): Response {
	return Response.json(errors[status], { status });
}

/** Better Auth's router answers 404 and 500 with nothing in them. */
function withErrorBody(response: Response): Response {
	if (response.body) return response;
	if (response.status === 404 || response.status === 500) return errorResponse(response.status);
	return response;
}
