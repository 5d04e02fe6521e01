import { ROUTES, type RouteName } from "../../support/http/all-routes";
import { routeNames } from "../../support/http/endpoint-calls";
import { errorsOf, jsonOf, operationOf, type Schema } from "../../support/http/openapi-document";
import { code, page, table } from "./markdown";

/** The groups of endpoints, by the part of the path after `/tenant/`. */
const GROUPS: Readonly<Record<string, string>> = {
	"": "Tenants",
	policy: "Policy",
	"sign-up": "Sign-up and sign-in",
	"sign-in": "Sign-up and sign-in",
	"login-options": "Sign-up and sign-in",
	current: "Sign-up and sign-in",
	discover: "Sign-up and sign-in",
	"sign-in-link": "Sign-up and sign-in",
	chooser: "One sign-in page for all tenants",
	"oauth-config": "OAuth clients",
	domain: "Domains",
	user: "Users",
	session: "Sessions",
	invitation: "Invitations",
	webhook: "Webhooks",
	audit: "Audit log",
};

const INTRODUCTION = `All paths are below Better Auth's base path, which is \`/api/auth\` by default. [HTTP API](../http-api.md) shows each call with curl and its response.

- An endpoint with an **action** is for [callers who may manage](../management.md). The others are public.
- \`tenantId\` may be left out where the request [names the tenant](../which-tenant.md) in another way.
- Every endpoint can also return [\`VALIDATION_ERROR\`](errors.md) with 400.`;

export function endpointsPage(): string {
	const groups = new Map<string, RouteName[]>();
	for (const name of routeNames) {
		const group = groupOf(ROUTES[name].path);
		groups.set(group, [...(groups.get(group) ?? []), name]);
	}
	const sections = [...groups].flatMap(([title, names]) => [
		`## ${title}`,
		...names.flatMap(describeEndpoint),
	]);
	return page("Endpoints", INTRODUCTION, sections);
}

function groupOf(path: string): string {
	const [first = "", second] = path.split("/").slice(2);
	return GROUPS[first] ?? (second === undefined ? "Tenants" : first);
}

function describeEndpoint(name: RouteName): string[] {
	const route = ROUTES[name];
	const { description, responses } = operationOf(name);
	const inputs = inputRows(name);
	const errors = new Map<string, number[]>();
	for (const error of errorsOf(name)) {
		if (error.code === "VALIDATION_ERROR") continue;
		errors.set(error.code, [...(errors.get(error.code) ?? []), error.status]);
	}
	return [
		`### ${route.method} ${route.path}`,
		`${description}.`,
		[
			`- ${code(`auth.api.${name}`)}, ${code(clientCallOf(route.path))}`,
			...("action" in route ? [`- action ${code(route.action)}`] : []),
		].join("\n"),
		...(inputs.length > 0 ? [table(["input", "type", "", "meaning"], inputs)] : []),
		`Response: ${describeType(jsonOf(responses["200"]))}`,
		...(errors.size > 0 ? [`Errors: ${[...errors].map(describeError).join(", ")}`] : []),
	];
}

const describeError = ([name, statuses]: [string, number[]]) =>
	`${code(name)} (${statuses.join(", ")})`;

/** The typed client turns a path into names. */
export function clientCallOf(path: string): string {
	const names = path.slice(1).split("/").map(camelCase);
	return `client.${names.join(".")}`;
}

const camelCase = (text: string) =>
	text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function inputRows(name: RouteName): string[][] {
	const { parameters, requestBody } = operationOf(name);
	const { properties = {}, required = [] } = jsonOf(requestBody) ?? {};
	const row = (field: string, schema: Schema | boolean, isRequired: boolean, text?: string) => [
		code(field),
		describeType(schema),
		isRequired ? "required" : "",
		text ?? (typeof schema === "object" ? (schema.description ?? "") : ""),
	];
	const nameOf = (parameter: string) =>
		parameter in properties ? `${code(parameter)} in the query` : code(parameter);
	return [
		...parameters.map((it) => [
			nameOf(it.name),
			...row(it.name, it.schema, it.required === true, it.description).slice(1),
		]),
		...Object.entries(properties).map(([field, schema]) =>
			row(field, schema, required.includes(field)),
		),
	];
}

/** At most this many fields of an object are listed. The OpenAPI document has all. */
const MAX_FIELDS = 16;

function describeType(schema: Schema | boolean | undefined, depth = 0): string {
	if (typeof schema !== "object") return "any value";
	const { anyOf, items, properties, type, format } = schema;
	if (schema.const !== undefined) return code(JSON.stringify(schema.const));
	if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(", ");
	const choices = anyOf ?? schema.oneOf;
	if (choices) return choices.map((it) => describeType(it, depth)).join(" or ");
	if (type === "array") return `a list of ${describeType(items as Schema | undefined, depth)}`;
	if (properties && depth === 0) {
		const names = Object.keys(properties);
		const shown = names.slice(0, MAX_FIELDS).map(code).join(", ");
		return names.length > MAX_FIELDS ? `${shown} and more` : shown || "an object";
	}
	if (type === "string" && format === "date-time") return "time";
	return NAMES[String(type)] ?? "any value";
}

const NAMES: Readonly<Record<string, string>> = {
	string: "text",
	integer: "integer",
	number: "number",
	boolean: "`true` or `false`",
	object: "an object",
	null: "`null`",
};
