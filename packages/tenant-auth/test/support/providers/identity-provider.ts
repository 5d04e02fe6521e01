import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import { afterAll, beforeAll } from "vitest";
import { apple } from "./identity-provider/apple";
import { makeAuthorizationServer } from "./identity-provider/authorization-server";
import type { Dialect } from "./identity-provider/dialect";
import { github } from "./identity-provider/github";
import { gitlab } from "./identity-provider/gitlab";
import { google } from "./identity-provider/google";
import { listen, listenAs } from "./identity-provider/listen";
import { createStorage } from "./identity-provider/memory-adapter";
import { microsoft } from "./identity-provider/microsoft";
import { openid } from "./identity-provider/openid";
import { answerPage, pagesPath } from "./identity-provider/pages";
import { makePerson, type Person, type PersonInput } from "./identity-provider/person";
import { answerResource } from "./identity-provider/resource";
import { borrowSigningKey } from "./identity-provider/signing-keys";

export type { Person };

const dialects = { apple, github, gitlab, google, microsoft, openid };

export type Brand = keyof typeof dialects;

export interface Client {
	clientId: string;
	clientSecret: string;
	redirectURIs: string[];
	/** How the client sends its secret; `none` for a client without one. @default "client_secret_post" */
	authentication?: "client_secret_basic" | "client_secret_post" | "none";
}

export interface IdentityProvider {
	/** Its URL: GitLab's `issuer`, Microsoft's `authority`. */
	url: string;
	/** Client id and secret have random defaults. A client with the same id is replaced. */
	addClient(client: Partial<Client> & Pick<Client, "redirectURIs">): Promise<Client>;
	removeClient(clientId: string): Promise<void>;
	addPerson(person: PersonInput): Person;
	close(): Promise<void>;
}

/** Starts an identity provider before the tests of this block, and closes it after them. */
export function useIdentityProvider(
	brand: Brand,
	change?: () => Partial<Dialect>,
): IdentityProvider {
	let started: IdentityProvider | undefined;
	const provider = () => {
		if (!started) throw new Error("The identity provider runs only while tests run");
		return started;
	};
	beforeAll(async () => {
		started = await startIdentityProvider(brand, change?.());
	});
	afterAll(() => started?.close());
	return {
		get url() {
			return provider().url;
		},
		addClient: (client) => provider().addClient(client),
		removeClient: (clientId) => provider().removeClient(clientId),
		addPerson: (person) => provider().addPerson(person),
		close: () => provider().close(),
	};
}

/**
 * Starts a real authorization server on loopback that behaves like the named brand: it logs people in,
 * asks for consent, and rejects a wrong client, secret, redirect URI, verifier or used code.
 *
 * `change` makes it different, for example with another host name.
 */
export async function startIdentityProvider(
	brand: Brand,
	change: Partial<Dialect> = {},
): Promise<IdentityProvider> {
	const dialect: Dialect = { ...dialects[brand], ...change };
	const people: Person[] = [];
	const storage = createStorage();
	const clients = storage("Client");

	// The issuer contains the port, which is known when the server listens.
	let server: Provider | undefined;
	const listener = (request: IncomingMessage, response: ServerResponse) => {
		answer(request, response).catch((error: unknown) => {
			response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
		});
	};
	const listening = await listen(listener);
	const [host] = change.hosts ?? [];
	const url = host ? `https://${host}` : `http://127.0.0.1:${listening.port}`;
	const issuer = dialect.issuer(url);
	const { key: signingKey, giveBack } = borrowSigningKey(issuer);
	server = makeAuthorizationServer({ dialect, issuer, signingKey, people, storage });
	const serve = server.callback();
	const secure = dialect.hosts.length ? await listenAs(dialect.hosts, listener) : undefined;

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (!server) throw new Error("The server has not started yet");
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
			// People log in with their email, so a second person could not log in.
			if (people.some(({ email }) => email === person.email)) {
				throw new Error(`${person.email} has an account already`);
			}
			people.push(person);
			return person;
		},
		async close() {
			await secure?.close();
			await listening.close();
			giveBack();
		},
	};
}

function clientMetadata(client: Client, { responseTypes = [] }: Dialect) {
	const { authentication = "client_secret_post" } = client;
	return {
		client_id: client.clientId,
		...(authentication === "none" ? {} : { client_secret: client.clientSecret }),
		redirect_uris: client.redirectURIs,
		post_logout_redirect_uris: client.redirectURIs.map((uri) => new URL("/bye", uri).href),
		response_types: ["code" as const, ...responseTypes],
		grant_types: [
			"authorization_code",
			"refresh_token",
			...(responseTypes.length ? ["implicit"] : []),
		],
		token_endpoint_auth_method: authentication,
	};
}
