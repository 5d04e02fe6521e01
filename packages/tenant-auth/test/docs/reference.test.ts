import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { socialProviders } from "@better-auth/core/social-providers";
import { TENANT_AUTH_ERROR_CODES, tenantAuth } from "better-auth-tenant";
import {
	isClientSecretOptional,
	type ProviderSetting,
	settingsOfProvider,
} from "better-auth-tenant/providers";
import { statusCodes } from "better-call";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { auditEventSchema } from "../../src/audit/audit-event";
import { domainSchema } from "../../src/domains/domain";
import type { TenantErrorCode } from "../../src/error-codes";
import { invitationSchema } from "../../src/invitations/invitation";
import { oauthConfigSchema } from "../../src/oauth-clients/config";
import { ROUTES, type RouteName } from "../../src/routes";
import { statusesOf } from "../../src/tenant-error";
import { tenantSchema } from "../../src/tenants/tenant";
import { managedRoutes, routeNames } from "../support/endpoint-calls";
import { inputsOf } from "../support/openapi-document";

/** The documents are written by hand. These tests compare them with the declarations. */
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const guide = readFileSync(join(root, "docs/oauth-providers.md"), "utf8");
const ownGuide = readFileSync(join(root, "docs/own-identity-providers.md"), "utf8");
const httpApi = readFileSync(join(root, "docs/http-api.md"), "utf8");

describe("the README's tables", () => {
	const sectionOf = (title: string) => readme.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

	const endpointRows = [
		...sectionOf("Endpoints").matchAll(
			/^\| (?<endpoint>`\S+ .*?|`GET`, .*?) \| (?<input>.*?) \|/gm,
		),
	].map(({ groups = {} }) => ({
		endpoint: (groups.endpoint ?? "").replace(" (m)", "").replaceAll(/[`,]/g, ""),
		isManaged: groups.endpoint?.endsWith(" (m)"),
		input: groups.input ?? "",
	}));
	const rowOf = (name: RouteName) => {
		const { method, path } = ROUTES[name];
		const row = endpointRows.find(({ endpoint }) => endpoint === `${method} ${path}`);
		if (!row) throw new Error(`${name} is not in the table`);
		return row;
	};

	it("list every endpoint with its method", () => {
		const endpoints = Object.values(tenantAuth().endpoints).map(({ path, options }) =>
			[options.method, path.replace(":providerId", "{providerId}")].flat().join(" "),
		);
		expect(endpointRows.map(({ endpoint }) => endpoint).sort()).toEqual(endpoints.sort());
	});

	it.each(routeNames)("list the inputs of %s, and whether it needs management", (name) => {
		const { isManaged, input } = rowOf(name);
		expect(isManaged).toBe("action" in ROUTES[name]);
		const listed = [...input.matchAll(/`(\w+)([?*]?)`/g)].map(([, field = "", mark]) => ({
			name: field,
			isRequired: mark === "" && !input.includes("exactly one"),
		}));
		const declared = inputsOf(name).map(({ name, isRequired }) => ({ name, isRequired }));
		if (input.includes("the rest")) expect(declared).toEqual(expect.arrayContaining(listed));
		else expect(listed).toEqual(expect.arrayContaining(declared));
		if (!input.includes("the rest")) expect(listed).toHaveLength(declared.length);
	});

	it("list every name in auth.api, and every management action", () => {
		const sentence =
			readme.match(/^In server code, the endpoints are .*?\. In the client/m)?.[0] ?? "";
		const names = [...sentence.matchAll(/`(?:auth\.api\.)?(\w+)`/g)].map(([, name]) => name);
		expect(names.sort()).toEqual(Object.keys(tenantAuth().endpoints).sort());
		const table = sectionOf("Who may manage");
		const actions = [...table.matchAll(/^\| `([\w-]+):` \| `([\w -]+)` \|$/gm)].flatMap(
			([, group, verbs = ""]) => verbs.split(" ").map((verb) => `${group}:${verb}`),
		);
		expect(actions.sort()).toEqual(managedRoutes.map(({ action }) => action).sort());
	});

	it.each([
		["A tenant", tenantSchema],
		["An OAuth config", oauthConfigSchema],
		["An invitation", invitationSchema],
		["An event", auditEventSchema],
		["A domain", domainSchema],
	])("list the fields: %s …", (beginning, schema) => {
		const [, fields = ""] =
			readme.match(new RegExp(`^- [*]*${beginning}[*]* has the fields \`([\\w ?]+)\``, "m")) ?? [];
		const declared = Object.entries(schema.shape).map(([name, field]) =>
			field instanceof z.ZodOptional ? `${name}?` : name,
		);
		expect(fields.split(" ")).toEqual(declared);
	});

	it("list every error code with its status", () => {
		const rows = [
			...sectionOf("Limits and errors").matchAll(/^\| (`[A-Z_`, ]+`) \| ([\d, ]+) \|/gm),
		].flatMap(([, codes = "", statuses = ""]) =>
			codes
				.replaceAll("`", "")
				.split(", ")
				.map((code) => `${code} ${statuses}`),
		);
		const declared = Object.keys(TENANT_AUTH_ERROR_CODES).map((code) => {
			const statuses = statusesOf(code as TenantErrorCode).map((name) => statusCodes[name]);
			return `${code} ${statuses.sort().join(", ")}`;
		});
		expect(rows.sort()).toEqual(["VALIDATION_ERROR 400", ...declared].sort());
	});
});

describe("the tables of provider settings", () => {
	const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
	const rowsOf = (text: string) =>
		text
			.slice(text.indexOf("\n| provider | setting"))
			.trim()
			.split("\n\n", 1)
			.flatMap((table) => table.split("\n").slice(2))
			.map((row) => row.split("|").slice(1, -1));

	const code = (value: string | number) => `\`${value}\``;
	const oneOf = (values: readonly (string | number)[]) =>
		[values.slice(0, -1).map(code).join(", "), ...values.slice(-1).map(code)]
			.filter(Boolean)
			.join(" or ");
	const describeValue = ({ name, kind, ...setting }: ProviderSetting) =>
		[
			setting.required && "Required.",
			kind === "flag" && "`true` or `false`.",
			kind === "texts" && (setting.mayBeText ? "A text or a list." : "A list."),
			// The guide lists the values of `prompt` once.
			name !== "prompt" && setting.choices && `${oneOf(setting.choices)}.`,
			setting.hint,
			setting.default && `Default: ${code(setting.default)}.`,
		]
			.filter(Boolean)
			.join(" ");
	const providerIds = Object.keys(socialProviders).sort();

	/** "provider setting" for each setting in the README. */
	const inReadme = rowsOf(readme).flatMap(([providers = "", settings = ""]) =>
		namesIn(providers).flatMap((id) => namesIn(settings).map((name) => `${id} ${name}`)),
	);

	it("follow the list of every built-in provider", () => {
		const list = guide.match(/^`apple`.*$/m)?.[0] ?? "";
		expect(namesIn(list).sort()).toEqual(providerIds);
	});

	it("list the settings of better-auth-tenant/providers, with their values in the guide", () => {
		const settings = providerIds.flatMap((id) =>
			settingsOfProvider(id).map((setting, index) => ({ id, index, ...setting })),
		);
		expect(settings.length).toBeGreaterThan(30);
		expect(inReadme.sort()).toEqual(settings.map(({ id, name }) => `${id} ${name}`).sort());
		const rows = settings.map((setting) => [
			setting.index === 0 ? code(setting.id) : "",
			code(setting.name),
			describeValue(setting),
		]);
		expect(rowsOf(guide).map((row) => row.map((cell) => cell.trim()))).toEqual(rows);
	});

	it("list the settings of a tenant's own provider", () => {
		const rows = ownGuide
			.slice(ownGuide.indexOf("\n| setting | value"))
			.trim()
			.split("\n\n", 1)
			.flatMap((table) => table.split("\n").slice(2));
		const expected = settingsOfProvider("oidc:okta").map((setting) =>
			`| ${code(setting.name)} | ${describeValue(setting)}`.trim(),
		);
		expect(rows.map((row) => row.replace(/\s*\|$/, ""))).toEqual(expected);
	});

	it("say which values prompt has, and which providers may have clients without a secret", () => {
		const [prompt] = settingsOfProvider("github");
		expect(guide).toContain(`\`prompt\` is one of ${prompt?.choices?.map(code).join(", ")}.`);
		const optional = providerIds.filter((id) => isClientSecretOptional(id));
		const sentence = guide.match(/Clients of (.*) may have no secret/)?.[1] ?? "";
		expect(namesIn(sentence)).toEqual(optional);
	});
});

describe("docs/http-api.md", () => {
	const blocks = [...httpApi.matchAll(/^```(?<language>\w+)\n(?<text>.*?)^```$/gms)];
	const calls = blocks.filter(({ groups }) => groups?.language === "sh").join("\n");

	it.each(routeNames)("has a call of %s", (name) => {
		expect(calls).toMatch(new RegExp(`\\$AUTH${ROUTES[name].path}["? ]`));
	});

	it("shows the tenant and the user under one id each", () => {
		const ids = [...httpApi.matchAll(/"(tenantId|userId)": "(\w{32})"/g)];
		expect(new Set(ids.map(([, field, id]) => `${field} ${id}`)).size).toBe(2);
		const tenants = httpApi.matchAll(/"id": "(\w{32})",\s+"name": "Acme/g);
		const shown = new Set([...tenants].map(([, id]) => id));
		expect([...shown]).toEqual([ids.find(([, field]) => field === "tenantId")?.[2]]);
	});
});
