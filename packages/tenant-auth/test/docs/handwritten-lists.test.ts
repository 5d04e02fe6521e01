import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { socialProviders } from "@better-auth/core/social-providers";
import {
	isClientSecretOptional,
	type ProviderSetting,
	settingsOfProvider,
} from "better-auth-tenant/providers";
import { describe, expect, it } from "vitest";
import { CHOOSER_ROUTES } from "../../src/features/chooser/routes";
import { LINK_ROUTES } from "../../src/features/links/routes";
import { auditEventSchema } from "../../src/management/audit/audit-event";
import { ROUTES } from "../support/http/all-routes";
import { managedRoutes, routeNames } from "../support/http/endpoint-calls";

/** These parts are written by hand. The tests compare them with the declarations. */
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const management = readFileSync(join(root, "docs/management.md"), "utf8");
const guide = readFileSync(join(root, "docs/oauth-providers.md"), "utf8");
const ownGuide = readFileSync(join(root, "docs/own-identity-providers.md"), "utf8");
const httpApi = readFileSync(join(root, "docs/http-api.md"), "utf8");

describe("docs/management.md", () => {
	it("lists every management action", () => {
		const actions = [...management.matchAll(/^\| `([\w-]+):` \| `([\w -]+)` \|$/gm)].flatMap(
			([, group, verbs = ""]) => verbs.split(" ").map((verb) => `${group}:${verb}`),
		);
		expect(actions.sort()).toEqual(managedRoutes.map(({ action }) => action).sort());
	});

	it("lists the fields of an audit event", () => {
		const [, fields = ""] = management.match(/^- An event has the fields `([\w ]+)`/m) ?? [];
		expect(fields.split(" ")).toEqual(Object.keys(auditEventSchema.shape));
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

	it("follow the list of every built-in provider", () => {
		const list = guide.match(/^`apple`.*$/m)?.[0] ?? "";
		expect(namesIn(list).sort()).toEqual(providerIds);
	});

	it("list the settings of better-auth-tenant/providers, with their values in the guide", () => {
		const settings = providerIds.flatMap((id) =>
			settingsOfProvider(id).map((setting, index) => ({ id, index, ...setting })),
		);
		expect(settings.length).toBeGreaterThan(30);
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

	/** The service does not have `tenantChooser()` and `tenantLinks()`. */
	const served = routeNames.filter(
		(name) => !Object.hasOwn({ ...CHOOSER_ROUTES, ...LINK_ROUTES }, name),
	);

	it.each(served)("has a call of %s", (name) => {
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
