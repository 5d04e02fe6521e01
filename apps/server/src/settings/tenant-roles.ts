import { type TenantPart, type TenantRoles, tenantAccess } from "better-auth-tenant";
import { tenantDomains } from "better-auth-tenant/domains";
import { tenantInvitations } from "better-auth-tenant/invitations";
import { tenantOpenId } from "better-auth-tenant/openid";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import * as z from "zod";
import {
	APPLICATION_ACTIONS,
	MAIL_TEMPLATE_ACTIONS,
	SAML_ACTIONS,
	SCIM_ACTIONS,
} from "../tenant-actions";

const EXAMPLE = '{"helpdesk":["user:list","user:get"]}';

const NAME = /^[a-z][\w.:-]{0,63}$/i;

const grantableOf = (actions: TenantPart["actions"]) =>
	Object.entries(actions ?? {}).flatMap(([name, action]) =>
		(typeof action === "string" ? action : action.grant) === "app" ? [] : name,
	);

const known: readonly string[] = [
	...Object.entries(tenantAccess.statements).flatMap(([resource, actions]) =>
		actions.map((action) => `${resource}:${action}`),
	),
	...grantableOf(tenantDomains().tenant.actions),
	...grantableOf(tenantInvitations().tenant.actions),
	...grantableOf(tenantOpenId().tenant.actions),
	...grantableOf(tenantSignIns().tenant.actions),
	...grantableOf(tenantWebhooks().tenant.actions),
	...Object.keys(APPLICATION_ACTIONS),
	...Object.keys(MAIL_TEMPLATE_ACTIONS),
	...Object.keys(SAML_ACTIONS),
	...Object.keys(SCIM_ACTIONS),
];

const schema = z.record(z.string(), z.array(z.string()));

/** Roles by name, each with its actions. A message completes a sentence that starts with the variable's name. */
export const tenantRoles = z.string().transform((text, ctx): TenantRoles => {
	const fail = (message: string) => {
		ctx.addIssue({ code: "custom", input: text, message });
		return z.NEVER;
	};
	const { data } = schema.safeParse(parseJson(text));
	if (!data) return fail(`must be JSON with the actions of each role, such as ${EXAMPLE}.`);
	for (const [name, actions] of Object.entries(data)) {
		if (name === "owner") return fail("cannot change what an owner may do.");
		if (!NAME.test(name)) return fail(`must not name a role "${name}".`);
		const unknown = actions.find((action) => !known.includes(action));
		if (unknown !== undefined) {
			return fail(`must not give "${unknown}" to "${name}": no role of a tenant can have it.`);
		}
	}
	return Object.fromEntries(
		Object.entries(data).map(([name, actions]) => [name, { statements: statementsOf(actions) }]),
	);
});

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

function statementsOf(actions: string[]): Record<string, string[]> {
	const statements: Record<string, string[]> = {};
	for (const action of actions) {
		const [resource = "", name = ""] = action.split(":");
		statements[resource] = [...(statements[resource] ?? []), name];
	}
	return statements;
}
