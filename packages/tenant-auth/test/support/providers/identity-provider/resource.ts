import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import type { Dialect } from "./dialect";
import type { Person } from "./person";

/** Answers the brand's own API for the owner of the access token, and nobody else. */
export async function answerResource(
	resource: Dialect["resources"][string],
	server: Provider,
	people: readonly Person[],
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const [, bearer] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
	const token = bearer ? await server.AccessToken.find(bearer) : undefined;
	const person = people.find((each) => each.sub === token?.accountId);
	if (!person) {
		response.writeHead(401, { "content-type": "application/json" }).end('{"message":"401"}');
		return;
	}
	const body = resource(person);
	if (body instanceof URL) {
		response.writeHead(302, { location: body.href }).end();
		return;
	}
	const isPicture = Buffer.isBuffer(body);
	response
		.writeHead(200, { "content-type": isPicture ? "image/jpeg" : "application/json" })
		.end(isPicture ? body : JSON.stringify(body));
}
