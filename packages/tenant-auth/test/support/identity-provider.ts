import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import { apple } from "./identity-provider/apple";
import { makeAuthorizationServer } from "./identity-provider/authorization-server";
import type { Dialect } from "./identity-provider/dialect";
import { github } from "./identity-provider/github";
import { gitlab } from "./identity-provider/gitlab";
import { google } from "./identity-provider/google";
import { listen, listenAs } from "./identity-provider/listen";
import { createStorage } from "./identity-provider/memory-adapter";
import { microsoft } from "./identity-provider/microsoft";
import { answerPage, pagesPath } from "./identity-provider/pages";
import { makePerson, type Person, type PersonInput } from "./identity-provider/person";
import { answerResource } from "./identity-provider/resource";

export type { Person };

const dialects = { apple, github, gitlab, google, microsoft };

export type Brand = keyof typeof dialects;

export interface Client {
	clientId: string;
	clientSecret: string;
	redirectURIs: string[];
}

export interface IdentityProvider {
	/** Its address: GitLab's `issuer`, Microsoft's `authority`. */
	url: string;
	/** Client id and secret are made up unless given; the same id again replaces the client. */
	addClient(client: Partial<Client> & Pick<Client, "redirectURIs">): Promise<Client>;
	removeClient(clientId: string): Promise<void>;
	addPerson(person: PersonInput): Person;
	close(): Promise<void>;
}

/**
 * A real authorization server on loopback that speaks as the named brand does: it logs people in,
 * asks for consent, and refuses a wrong client, secret, redirect URI, verifier or used code.
 *
 * `change` makes it an odd one, for example under a host name of its own.
 */
export async function startIdentityProvider(
	brand: Brand,
	change: Partial<Dialect> = {},
): Promise<IdentityProvider> {
	const dialect: Dialect = { ...dialects[brand], ...change };
	const people: Person[] = [];
	const storage = createStorage();
	const clients = storage("Client");

	// The issuer holds the port, and the port is known once something listens on it.
	let server: Provider | undefined;
	const listener = (request: IncomingMessage, response: ServerResponse) => {
		answer(request, response).catch((error: unknown) => {
			response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
		});
	};
	const listening = await listen(listener);
	const [host] = change.hosts ?? [];
	const url = host ? `https://${host}` : `http://127.0.0.1:${listening.port}`;
	server = makeAuthorizationServer({ dialect, issuer: dialect.issuer(url), people, storage });
	const serve = server.callback();
	const secure = dialect.hosts.length ? await listenAs(dialect.hosts, listener) : undefined;

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (!server) throw new Error("Not started yet");
		const target = new URL(request.url ?? "/", url);
		dialect.rewrite?.(target);
		request.url = target.pathname + target.search;
		if (target.pathname.startsWith(pagesPath)) return answerPage(server, people, request, response);
		const resource = dialect.resources[decodeURIComponent(target.pathname)];
		if (resource) return answerResource(resource, server, people, request, response);
		await serve(request, response);
	}

	return {
		url,
		async addClient(input) {
			const client = {
				clientId: `client-${randomUUID()}`,
				clientSecret: `secret-${randomUUID()}`,
				...input,
			};
			await clients.upsert(client.clientId, clientMetadata(client, dialect), 0);
			return client;
		},
		async removeClient(clientId) {
			await clients.destroy(clientId);
		},
		addPerson(input) {
			const person = makePerson(input);
			// People log in with it: a second one could never get in.
			if (people.some(({ email }) => email === person.email)) {
				throw new Error(`${person.email} has an account already`);
			}
			people.push(person);
			return person;
		},
		async close() {
			await secure?.close();
			await listening.close();
		},
	};
}

function clientMetadata(client: Client, { responseTypes = [] }: Dialect) {
	return {
		client_id: client.clientId,
		client_secret: client.clientSecret,
		redirect_uris: client.redirectURIs,
		response_types: ["code" as const, ...responseTypes],
		grant_types: [
			"authorization_code",
			"refresh_token",
			...(responseTypes.length ? ["implicit"] : []),
		],
		token_endpoint_auth_method: "client_secret_post" as const,
	};
}
