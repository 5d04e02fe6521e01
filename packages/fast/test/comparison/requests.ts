import * as z from "zod";
import { ORIGIN } from "../../../tenant-auth/test/support/worlds/plain-better-auth";
import { USER } from "./compared-app";

export interface ComparedEndpoint {
	path: string;
	options?: {
		method?: string | string[];
		body?: z.ZodType;
		query?: z.ZodType;
		metadata?: { SERVER_ONLY?: boolean; allowedMediaTypes?: string[] };
	};
}

/** One kind of request: what it changes of a valid one. */
type Kind = (valid: Valid) => Request;

interface Valid {
	url: URL;
	method: string;
	body: unknown;
	cookie: string;
	headers: Record<string, string>;
}

const send = ({ url, method, body, headers }: Valid, more: RequestInit = {}) =>
	new Request(url, {
		method,
		...(hasBody(method) && body !== undefined ? { body: JSON.stringify(body) } : {}),
		...more,
		headers: { ...headers, ...(more.headers as Record<string, string>) },
	});

const hasBody = (method: string) => !["GET", "HEAD", "OPTIONS"].includes(method);

/** The same URL with another path, as it is written: `URL` would resolve dots. */
const at = (valid: Valid, change: (path: string) => string) =>
	send({
		...valid,
		url: new URL(`${ORIGIN}${change(valid.url.pathname)}${valid.url.search}`),
	});

const withText = (valid: Valid, text: string, type = "application/json") =>
	send(valid, hasBody(valid.method) ? { body: text, headers: { "content-type": type } } : {});

/** Valid and odd requests. */
export const KINDS: Record<string, Kind> = {
	valid: (it) => send(it),
	"without a session": ({ headers: { cookie: _, ...headers }, ...it }) => send({ ...it, headers }),
	"without a body": (it) => send({ ...it, body: undefined }),
	"with wrong types": (it) => send({ ...it, body: wrongTypes(it.body) }),
	"with a list as the body": (it) => send({ ...it, body: [it.body] }),
	"with malformed JSON": (it) => withText(it, '{"email": '),
	"with another content type": (it) => withText(it, "a=b", "text/plain"),
	"as a form": (it) => withText(it, "email=a&email=b", "application/x-www-form-urlencoded"),
	"of a foreign origin": (it) => send(it, { headers: { origin: "https://evil.example" } }),
	"with a foreign URL": (it) =>
		send({ ...it, body: { ...Object(it.body), callbackURL: "https://evil.example" } }),
	"with a slash at the end": (it) => at(it, (path) => `${path}/`),
	"with a double slash": (it) => at(it, (path) => path.replace("/auth/", "/auth//")),
	"with encoded dots": (it) => at(it, (path) => path.replace("/auth/", "/auth/%2e/x/%2e%2e/")),
	"with an encoded slash": (it) => at(it, (path) => path.replace("/auth/", "/auth%2f")),
	"in upper case": (it) => at(it, (path) => path.toUpperCase()),
	"below another path": (it) => at(it, (path) => path.replace("/api/", "/other/")),
	"with HEAD": (it) => send({ ...it, method: "HEAD" }),
	"with OPTIONS": (it) => send({ ...it, method: "OPTIONS" }),
	"with another method": (it) => send({ ...it, method: it.method === "GET" ? "POST" : "GET" }),
	"with a doubled query": (it) => {
		const url = new URL(it.url);
		for (const [name, value] of [...url.searchParams, ["a", "1"], ["a", "2"]] as const) {
			url.searchParams.append(name, value);
		}
		return send({ ...it, url });
	},
	"with doubled cookies": (it) => send(it, { headers: { cookie: `${it.cookie}; ${it.cookie}` } }),
	"with a forged cookie": (it) => {
		const cookie = it.cookie.replace("session_token=", "session_token=x");
		return send(it, { headers: { cookie } });
	},
	"with an authorization": (it) => send(it, { headers: { authorization: "Bearer x.y" } }),
};

/** A valid request to an endpoint, as far as its schema says what is valid. */
export function validRequest(endpoint: ComparedEndpoint, method: string, cookie: string): Valid {
	const { path, options = {} } = endpoint;
	const url = new URL(`${ORIGIN}/api/auth${path.replaceAll(/[:*]+\w*/g, "github")}`);
	const query = sampleOf(options.query);
	for (const [name, value] of Object.entries(Object(query))) {
		url.searchParams.set(name, String(value));
	}
	const [type = "application/json"] = options.metadata?.allowedMediaTypes ?? [];
	const headers = {
		...(hasBody(method) ? { "content-type": type } : {}),
		...{ origin: ORIGIN, cookie, "user-agent": "a test", "x-forwarded-for": "192.0.2.1" },
	};
	return { url, method, body: sampleOf(options.body), cookie, headers };
}

export const methodsOf = ({ options }: ComparedEndpoint): string[] =>
	[options?.method ?? "GET"].flat().map((method) => (method === "*" ? "GET" : method));

const NAMED: Record<string, unknown> = {
	...USER,
	currentPassword: USER.password,
	newPassword: "another password",
	newEmail: "new@example.com",
	callbackURL: "/home",
	redirectTo: "/home",
	provider: "github",
	providerId: "generic",
};

interface JsonSchema {
	type?: string | string[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	enum?: unknown[];
	const?: unknown;
	anyOf?: JsonSchema[];
	items?: JsonSchema;
}

/** A value that a schema accepts, with its required fields. */
function sampleOf(schema: z.ZodType | undefined): unknown {
	if (!schema) return undefined;
	return sample("", z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as JsonSchema);
}

function sample(name: string, schema: JsonSchema): unknown {
	if (schema.const !== undefined) return schema.const;
	if (schema.enum) return schema.enum[0];
	if (schema.anyOf?.[0]) return sample(name, schema.anyOf[0]);
	if (name in NAMED) return NAMED[name];
	switch ([schema.type].flat()[0]) {
		case "string":
			return "text";
		case "number":
		case "integer":
			return 1;
		case "boolean":
			return true;
		case "array":
			return [sample("", schema.items ?? {})];
		default: {
			const { properties = {}, required = [] } = schema;
			return Object.fromEntries(required.map((key) => [key, sample(key, properties[key] ?? {})]));
		}
	}
}

const wrongTypes = (body: unknown) =>
	Object.fromEntries(Object.keys(Object(body)).map((name) => [name, { a: [1] }]));
