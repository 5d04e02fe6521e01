import { openAPI } from "better-auth/plugins";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenant";
import { beforeAll, describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "./support/instance";

interface Schema {
	type?: string | string[];
	description?: string;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	enum?: string[];
	$ref?: string;
	anyOf?: Schema[];
}

interface Content {
	content?: { "application/json"?: { schema: Schema } };
}

interface Operation {
	operationId: string;
	description: string;
	parameters: {
		name: string;
		in: string;
		required?: boolean;
		schema: Schema;
		description?: string;
	}[];
	requestBody?: Content & { required: boolean };
	responses: Record<string, Content & { description: string }>;
}

const tenant = ["id", "name", "slug", "metadata", "createdAt", "updatedAt"];
const config = [
	...["id", "tenantId", "providerId", "clientId", "scopes", "redirectURI", "options", "enabled"],
	...["createdAt", "updatedAt"],
];
const session = ["token", "user", "session"];
const tenantSession = [
	...["id", "userId", "user", "ipAddress", "userAgent"],
	...["createdAt", "updatedAt", "expiresAt"],
];
const management = "401 403 TENANT_MANAGEMENT_NOT_ALLOWED";
const suspended = "403 TENANT_SUSPENDED";
const named = ["400 TENANT_ID_REQUIRED", "404 TENANT_NOT_FOUND"];

interface Documented {
	/** Required inputs, then optional ones. */
	body?: [required: string[], optional: string[]];
	query?: string[];
	answer: string[];
	isList?: true;
	/** Statuses and codes. */
	errors: string[];
}

const DOCUMENTED: Record<string, Documented> = {
	"post /tenant/create createTenant": {
		body: [["name", "slug"], ["metadata"]],
		answer: tenant,
		errors: ["400 INVALID_SLUG", "400 SLUG_RESERVED", "409 TENANT_ALREADY_EXISTS", management],
	},
	"get /tenant/get getTenant": {
		query: ["id", "slug"],
		answer: tenant,
		errors: ["404 TENANT_NOT_FOUND", management],
	},
	"get /tenant/list listTenants": {
		query: ["limit", "offset", "search"],
		answer: tenant,
		isList: true,
		errors: [management],
	},
	"post /tenant/update updateTenant": {
		body: [["tenantId"], ["name", "slug", "metadata"]],
		answer: tenant,
		errors: [
			...["400 INVALID_SLUG", "400 SLUG_RESERVED", "409 TENANT_ALREADY_EXISTS"],
			...["404 TENANT_NOT_FOUND", management],
		],
	},
	"post /tenant/delete deleteTenant": {
		body: [["tenantId"], []],
		answer: ["success"],
		errors: ["404 TENANT_NOT_FOUND", management],
	},
	"post /tenant/sign-up/email signUpEmailTenant": {
		body: [
			["name", "email", "password"],
			["tenantId", "image", "callbackURL", "rememberMe"],
		],
		answer: session,
		errors: [
			...named,
			suspended,
			"422 USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
			"400 PASSWORD_TOO_SHORT",
		],
	},
	"post /tenant/sign-in/email signInEmailTenant": {
		body: [
			["email", "password"],
			["tenantId", "callbackURL", "rememberMe"],
		],
		answer: session,
		errors: [...named, suspended, "401 INVALID_EMAIL_OR_PASSWORD", "403 EMAIL_NOT_VERIFIED"],
	},
	"post /tenant/oauth-config/register registerTenantOAuthConfig": {
		body: [
			["providerId", "clientId", "clientSecret"],
			["tenantId", "scopes", "redirectURI", "options", "enabled"],
		],
		answer: config,
		errors: [...named, ...["400 UNSUPPORTED_PROVIDER", "400 INVALID_PROVIDER_OPTIONS", management]],
	},
	"get /tenant/oauth-config/list listTenantOAuthConfigs": {
		query: ["tenantId"],
		answer: config,
		isList: true,
		errors: [...named, "500 OAUTH_CREDENTIAL_DECRYPT_FAILED", management],
	},
	"post /tenant/oauth-config/update updateTenantOAuthConfig": {
		body: [["providerId", "enabled"], ["tenantId"]],
		answer: config,
		errors: [
			...named,
			...["404 OAUTH_CONFIG_NOT_FOUND", "500 OAUTH_CREDENTIAL_DECRYPT_FAILED", management],
		],
	},
	"post /tenant/oauth-config/delete deleteTenantOAuthConfig": {
		body: [["providerId"], ["tenantId"]],
		answer: ["success"],
		errors: [...named, "404 OAUTH_CONFIG_NOT_FOUND", management],
	},
	"post /tenant/sign-in/social signInSocialTenant": {
		body: [
			["provider"],
			[
				...["tenantId", "callbackURL", "errorCallbackURL", "newUserCallbackURL"],
				...["disableRedirect", "scopes", "loginHint", "requestSignUp", "additionalParams"],
				...["additionalData", "idToken"],
			],
		],
		answer: ["url", "redirect", ...session],
		errors: [...named, suspended, "404 PROVIDER_NOT_FOUND", "500 OAUTH_CREDENTIAL_DECRYPT_FAILED"],
	},
	"get /tenant/login-options tenantLoginOptions": {
		query: ["tenantId", "slug"],
		answer: ["tenant", "branding", "email", "password", "providers"],
		errors: ["404 TENANT_NOT_FOUND", suspended],
	},
	"get /tenant/oauth-config/effective effectiveTenantOAuthConfigs": {
		query: ["tenantId"],
		answer: ["providerId", "source", "config", "callbackURL", "lastFailure"],
		isList: true,
		errors: [...named, management],
	},
	"post /tenant/suspend suspendTenant": {
		body: [[], ["tenantId"]],
		answer: tenant,
		errors: [...named, management],
	},
	"post /tenant/resume resumeTenant": {
		body: [[], ["tenantId"]],
		answer: tenant,
		errors: [...named, management],
	},
	"get /tenant/user/list listTenantUsers": {
		query: ["tenantId", "limit", "offset", "search"],
		answer: [],
		isList: true,
		errors: [...named, management],
	},
	"get /tenant/user/get getTenantUser": {
		query: ["tenantId", "userId"],
		answer: ["user", "accounts", "sessions"],
		errors: [...named, "404 USER_NOT_FOUND", management],
	},
	"post /tenant/user/delete deleteTenantUser": {
		body: [["userId"], ["tenantId"]],
		answer: ["success"],
		errors: [...named, "404 USER_NOT_FOUND", "409 USER_NOT_DELETED", management],
	},
	"post /tenant/user/revoke-sessions revokeTenantUserSessions": {
		body: [["userId"], ["tenantId"]],
		answer: ["success"],
		errors: [...named, "404 USER_NOT_FOUND", management],
	},
	"post /tenant/user/send-password-reset sendTenantPasswordReset": {
		body: [["userId"], ["tenantId", "redirectTo"]],
		answer: ["success"],
		errors: [...named, "404 USER_NOT_FOUND", management],
	},
	"get /tenant/session/list listTenantSessions": {
		query: ["tenantId", "limit", "offset", "search"],
		answer: tenantSession,
		isList: true,
		errors: [...named, "400 SESSIONS_NOT_LISTED", management],
	},
	"post /tenant/session/revoke revokeTenantSession": {
		body: [["userId", "sessionId"], ["tenantId"]],
		answer: ["success"],
		errors: [...named, "404 USER_NOT_FOUND", "404 SESSION_NOT_FOUND", management],
	},
	"get /tenant/audit/list listTenantAuditEvents": {
		query: ["limit", "offset", "tenantId", "action", "actorId", "targetId", "since", "until"],
		answer: [
			...["id", "createdAt", "action", "tenantId", "actor", "targetId", "ipAddress"],
			...["userAgent", "detail"],
		],
		isList: true,
		errors: [management],
	},
};

const sorted = (names: Iterable<string>) => [...names].sort();

describe("the OpenAPI document", () => {
	let instance: Instance;
	let paths: Record<string, Record<string, Operation>>;
	let schemas: Record<string, Schema>;

	beforeAll(async () => {
		instance = await makeInstance({ plugins: [openAPI()] });
		const { body } = await instance.call("/open-api/generate-schema");
		paths = body.paths;
		schemas = body.components.schemas;
	});

	const operationOf = (name: string): Operation => {
		const [method = "", path = ""] = name.split(" ");
		const operation = paths[path]?.[method];
		if (!operation) throw new Error(`${name} is not in the document`);
		return operation;
	};
	const jsonOf = (content: Content | undefined) => content?.content?.["application/json"]?.schema;

	it("has every endpoint of the plugin", () => {
		const documented = Object.entries(paths)
			.filter(([path]) => path.startsWith("/tenant/") && !path.includes("callback"))
			.flatMap(([path, methods]) =>
				Object.entries(methods).map(
					([method, { operationId }]) => `${method} ${path} ${operationId}`,
				),
			);
		expect(sorted(documented)).toEqual(sorted(Object.keys(DOCUMENTED)));
		const api = instance.auth.api as unknown as Record<string, { path?: string }>;
		const mounted = Object.values(api).filter(({ path }) => path?.startsWith("/tenant/"));
		expect(mounted).toHaveLength(documented.length + 1);
	});

	it.each(Object.entries(DOCUMENTED))("has each input of %s", (name, { body, query = [] }) => {
		const { parameters, requestBody, description } = operationOf(name);
		expect(description).toBeTruthy();
		expect(parameters.map((parameter) => [parameter.in, parameter.name])).toEqual(
			query.map((parameter) => ["query", parameter]),
		);
		for (const parameter of parameters) {
			expect(parameter.schema.description ?? parameter.description).toBeTruthy();
			expect(parameter.required).not.toBe(true);
		}
		expect(requestBody === undefined).toBe(body === undefined);
		if (!body) return;
		const schema = jsonOf(requestBody);
		expect(sorted(schema?.required ?? [])).toEqual(sorted(body[0]));
		expect(sorted(Object.keys(schema?.properties ?? {}))).toEqual(sorted(body.flat()));
		for (const [field, { type, description }] of Object.entries(schema?.properties ?? {})) {
			expect([field, type, description]).toEqual([field, expect.any(String), expect.any(String)]);
		}
	});

	it.each(Object.entries(DOCUMENTED))("has the answer of %s", (name, { answer, isList }) => {
		const schema = jsonOf(operationOf(name).responses["200"]);
		expect(schema?.type).toBe(isList ? "array" : "object");
		const item = isList ? schema?.items : schema;
		expect(sorted(Object.keys(item?.properties ?? {}))).toEqual(sorted(answer));
		expect(JSON.stringify(schema)).not.toContain("clientSecret");
	});

	it.each(Object.entries(DOCUMENTED))("has the errors of %s", (name, { errors }) => {
		const { responses } = operationOf(name);
		const codesOf = (status: string) => jsonOf(responses[status])?.properties?.code?.enum ?? [];
		expect(codesOf("400")).toContain("VALIDATION_ERROR");
		for (const error of errors) {
			const code = error.split(" ").at(-1) as string;
			for (const status of error.match(/\d{3}/g) ?? []) {
				expect([status, ...codesOf(status)]).toContain(code);
				expect(responses[status]?.description).toBeTruthy();
			}
		}
	});

	it("knows every code that an endpoint of the plugin answers with", () => {
		const everything = JSON.stringify(paths);
		const atOtherEndpoints = ["CROSS_TENANT_QUERY", "OAUTH_CLIENT_CHANGED"];
		const codes = Object.keys(TENANT_AUTH_ERROR_CODES);
		for (const code of codes.filter((code) => !atOtherEndpoints.includes(code)))
			expect(everything).toContain(code);
	});

	it("has the callback with its parameters and its redirect", () => {
		const callback = paths["/tenant/callback/{providerId}"];
		expect(Object.keys(callback ?? {})).toEqual(["get", "post"]);
		const { parameters, responses } = operationOf("get /tenant/callback/{providerId}");
		const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
		expect(names).toEqual(
			expect.arrayContaining([
				...["path providerId", "query code", "query state"],
				...["query error", "query error_description"],
			]),
		);
		expect(responses["302"]?.description).toContain("error");
	});

	it("refers only to what it defines", () => {
		const references = [...JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)];
		for (const [, name = ""] of references) expect(Object.keys(schemas)).toContain(name);
	});

	it("describes the answers as they are", async () => {
		const created = await instance.manage("/tenant/create", {
			body: { name: "Acme", slug: "acme-inc" },
		});
		const tenantId = created.body.id;
		const registered = await instance.manage("/tenant/oauth-config/register", {
			body: { tenantId, providerId: "github", clientId: "id", clientSecret: "secret" },
		});
		const signedUp = await instance.signUp(tenantId, "ada@example.com");
		const answers: [string, Record<string, unknown>][] = [
			["post /tenant/create", created.body],
			["post /tenant/oauth-config/register", registered.body],
			["post /tenant/sign-up/email", signedUp.body],
		];
		for (const [name, body] of answers) {
			const schema = jsonOf(operationOf(name).responses["200"]);
			for (const field of schema?.required ?? []) expect(Object.keys(body)).toContain(field);
		}
	});
});
