import ts from "typescript";
import { ROUTES, type RouteName } from "../../support/http/all-routes";
import { routeNames } from "../../support/http/endpoint-calls";
import { jsonOf, operationOf } from "../../support/http/openapi-document";
import { clientCallOf } from "./endpoints";
import { code, page, table } from "./markdown";
import { describeMember, interfacesOf, paragraphsOf, parse } from "./options";

const CLIENT = new URL("../../../src/client.ts", import.meta.url);

const INTRODUCTION = `\`\`\`ts
import { createAuthClient } from "better-auth/client"; // or better-auth/react, /vue, /svelte, /solid
import { tenantAuthClient } from "better-auth-tenant/client";

export const client = createAuthClient({ plugins: [tenantAuthClient()] });

const { data, error } = await client.tenant.signIn.email({ tenantId, email: "ada@example.com", password });
\`\`\`

Every call returns \`{ data, error }\`, and \`error\` has \`code\`, \`message\` and \`status\`. A call with GET takes its input as \`{ query: { … } }\`, a call with POST as \`{ … }\`. \`tenantId\` may be left out if the client has the option \`tenant\`, or if the request [names the tenant](../which-tenant.md) in another way. [Endpoints](endpoints.md) has the types of all inputs and the responses.

Lists are arrays with \`total\` and \`nextCursor\`. \`keyof typeof client.$ERROR_CODES\` is the type of [all codes](errors.md). Inputs in bold are required.`;

export function clientPage(): string {
	const isManaged = (name: RouteName) => "action" in ROUTES[name];
	const calls = (names: readonly RouteName[]) =>
		table(["call", "input", "what it does"], names.map(rowOf));
	const options = interfacesOf(CLIENT).filter(({ name }) => name.endsWith("Options"));
	return page("Client", INTRODUCTION, [
		"## tenantAuthClient()",
		paragraphsOf(commentOf("tenantAuthClient")),
		...options.flatMap(({ members }) => members.flatMap(describeMember)),
		"## Calls for everybody",
		calls(routeNames.filter((name) => !isManaged(name))),
		"## Calls for those who manage",
		"They need a role in the tenant, or another [right to manage](../management.md).",
		calls(routeNames.filter(isManaged)),
	]);
}

function rowOf(name: RouteName): string[] {
	const { path, method } = ROUTES[name];
	const { parameters, requestBody, description } = operationOf(name);
	const { properties = {}, required = [] } = jsonOf(requestBody) ?? {};
	const fields = [
		...parameters
			.filter((it) => !(it.name in properties))
			.map((it) => ({ field: it.name, isRequired: it.required === true })),
		...Object.keys(properties).map((field) => ({ field, isRequired: required.includes(field) })),
	];
	const shown = fields.map(({ field, isRequired }) =>
		isRequired ? `**${code(field)}**` : code(field),
	);
	const input = shown.join(", ");
	return [code(clientCallOf(path)), `${method}${input && `: ${input}`}`, `${description}.`];
}

/** The comment of an exported constant. */
function commentOf(name: string): string {
	const statement = parse(CLIENT).statements.find(
		(it) =>
			ts.isVariableStatement(it) &&
			it.declarationList.declarations.some((declared) => declared.name.getText() === name),
	);
	const [comment] = statement ? ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc) : [];
	return ts.getTextOfJSDocComment(comment?.comment) ?? "";
}
