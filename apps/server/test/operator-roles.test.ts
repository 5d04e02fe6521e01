import { describe, expect, test } from "vitest";
import { LINK_ROUTES } from "../../../packages/tenant-auth/src/features/links/routes";
import {
	managedRoutes,
	validCall,
} from "../../../packages/tenant-auth/test/support/http/endpoint-calls";
import { notEmpty } from "../../../testing/not-empty";
import { TEST_ALL } from "../../../testing/services";
import { ACTIONS, ROLES, type Role } from "../src/operators/permissions";
import { newOperator, operatorPassword } from "./operator-accounts";
import {
	newSlug,
	newTenant,
	type RunningService,
	runningService,
	useService,
} from "./running-service";

/** Written down a second time on purpose: a change of a permission must be made twice. */
const supportActions = [
	"tenant:get",
	"tenant:list",
	"oauth-config:effective",
	"user:list",
	"user:get",
	"user:disable",
	"user:enable",
	"user:impersonate",
	"user:revoke-sessions",
	"user:send-password-reset",
	"user:remove-second-factor",
	"user:remove-passkeys",
	"invitation:list",
	"session:list",
	"session:revoke",
	"grant:list",
	"grant:revoke",
	"user-metadata:get",
	"sign-in:list",
	"service:info",
	"service:overview",
];

const isRead = (action: string) =>
	/:(get|list|list-deliveries|effective|preview|info|overview|metrics)$/.test(action);

const isAllowed: Record<Role, (action: string) => boolean> = {
	owner: () => true,
	operator: (action) =>
		!/^((operator|key):|tenant:(ex|im)port$|user:move$|audit:erase$)/.test(action) ||
		isRead(action),
	auditor: isRead,
	support: (action) => supportActions.includes(action),
};

const target = {
	...{ userId: "none", sessionId: "none", webhookId: "none", deliveryId: "none" },
	...{ domainId: "none", invitationId: "none", invitationToken: "none", platformUserId: "none" },
	...{ email: "", cookie: "" },
};

/** The applications of a tenant, and those of all tenants. The same permissions are for both. */
const applicationCalls = (
	tenantId: string,
	owner: "tenant" | "operator",
): Record<string, [path: string, body?: object]> => {
	const path = (name: string) => `/api/auth/${owner}/application/${name}`;
	const ofTenant: Record<string, string> = owner === "tenant" ? { tenantId } : {};
	const named = { ...ofTenant, clientId: "none" };
	const query = new URLSearchParams(named);
	return {
		"application:create": [path("create"), { ...ofTenant, name: "App", type: "machine" }],
		"application:list": [path(`list?${query}`)],
		"application:get": [path(`get?${query}`)],
		"application:update": [path("update"), named],
		"application:rotate-secret": [path("rotate-secret"), named],
		"application:delete": [path("delete"), named],
	};
};

/** What applications have and know of a user. */
const grantCalls = (tenantId: string): Record<string, [path: string, body?: object]> => {
	const named = { tenantId, userId: "none" };
	return {
		"grant:list": [`/api/auth/tenant/grant/list?${new URLSearchParams(named)}`],
		"grant:revoke": ["/api/auth/tenant/grant/revoke", { ...named, clientId: "none" }],
		"user-metadata:get": [`/api/auth/tenant/user-metadata/get?${new URLSearchParams(named)}`],
		"user-metadata:update": ["/api/auth/tenant/user-metadata/update", { ...named, metadata: {} }],
	};
};

const templateCalls = (tenantId: string): Record<string, [path: string, body?: object]> => {
	const path = (name: string) => `/api/auth/tenant/mail-template/${name}`;
	const named = { tenantId, kind: "invitation", language: "en" };
	const content = { subject: "Hello", text: "{{link}}", button: "Go" };
	return {
		"mail-template:list": [path(`list?${new URLSearchParams({ tenantId })}`)],
		"mail-template:get": [path(`get?${new URLSearchParams(named)}`)],
		"mail-template:set": [path("set"), { ...named, ...content }],
		"mail-template:reset": [path("reset"), named],
		"mail-template:preview": [path("preview"), { ...named, ...content }],
	};
};

const directoryCalls = (tenantId: string): Record<string, [path: string, body?: object]> => {
	const path = (name: string) => `/api/auth/tenant/${name}`;
	const query = new URLSearchParams({ tenantId });
	return {
		"scim:get": [path(`scim/get?${query}`)],
		"scim:create-token": [path("scim/create-token"), { tenantId, name: "Okta" }],
		"scim:revoke-token": [path("scim/revoke-token"), { tenantId, id: "none" }],
		"scim:set-roles": [path("scim/set-roles"), { tenantId, roles: {} }],
		"saml:get": [path(`saml/get?${query}`)],
		"saml:set": [path("saml/set"), { tenantId, metadata: "none" }],
		"saml:refresh": [path("saml/refresh"), { tenantId }],
		"saml:test": [path("saml/test"), { tenantId }],
		"saml:remove": [path("saml/remove"), { tenantId }],
	};
};

/** The calls that concern no tenant: the path, and a body if it changes something. */
const serviceCalls: Record<string, [path: string, body?: object]> = {
	"service:info": ["/service/info"],
	"service:overview": ["/service/overview"],
	"service:outbox": ["/service/outbox"],
	"service:mail-test": ["/service/mail-test", { to: "ops@example.com" }],
	"service:metrics": ["/metrics"],
	"tenant:export": [
		"/service/tenant-file/export",
		{ tenantId: "none", password: "the password of the file", currentPassword: operatorPassword },
	],
	"tenant:import": [
		"/service/tenant-file/import",
		{ password: "the password of the file", currentPassword: operatorPassword },
	],
	"operator:list": ["/api/auth/operator/list"],
	"operator:create": ["/api/auth/operator/create", { email: "new@example.com", role: "support" }],
	"operator:update": ["/api/auth/operator/update", { userId: "none", role: "support" }],
	"operator:reset": ["/api/auth/operator/reset", { userId: "none" }],
	"operator:remove": ["/api/auth/operator/remove", { userId: "none" }],
	"key:list": ["/api/auth/operator/key/list"],
	"key:create": ["/api/auth/operator/key/create", { name: "new", scopes: ["auditor"] }],
	"key:revoke": ["/api/auth/operator/key/revoke", { id: "none" }],
};

/** The service does not have `tenantLinks()`. */
const served = managedRoutes.filter(({ name }) => !Object.hasOwn(LINK_ROUTES, name));

/** Calls the endpoints of these actions, and returns the actions that were not refused. */
async function findAllowed(
	service: RunningService,
	headers: Record<string, string>,
	actions: readonly string[] = ACTIONS,
) {
	const tenantId = await newTenant(service.post, newSlug());
	const calls: Record<string, [path: string, body?: object]> = {
		...serviceCalls,
		...applicationCalls(tenantId, "tenant"),
		...templateCalls(tenantId),
		...grantCalls(tenantId),
		...directoryCalls(tenantId),
	};
	for (const { name, path, action } of served) {
		const { body, query } = validCall(name, { ...target, tenantId });
		calls[action] = [`/api/auth${path}?${new URLSearchParams(query)}`, body];
	}
	expect(Object.keys(calls).sort()).toEqual([...ACTIONS].sort());
	const serviceWide = applicationCalls(tenantId, "operator");
	const allowed: string[] = [];
	const both: string[] = [];
	for (const [action, [path, body]] of notEmpty([
		...Object.entries(calls),
		...Object.entries(serviceWide),
	])) {
		if (!actions.includes(action)) continue;
		const json = { ...headers, "content-type": "application/json" };
		const response = body
			? await service.call(path, { method: "POST", headers: json, body: JSON.stringify(body) })
			: await service.call(path, { headers });
		const text = await response.text();
		const isRefused = text.includes("TENANT_MANAGEMENT_NOT_ALLOWED");
		expect([action, isRefused ? response.status : 403], text).toEqual([action, 403]);
		if (!isRefused) expect([action, response.status < 500], text).toEqual([action, true]);
		if (!isRefused) allowed.push(action);
		if (path.includes("/operator/application/") && !isRefused) both.push(action);
	}
	expect(allowed.filter((action) => action in serviceWide)).toEqual([...both, ...both]);
	return [...new Set(allowed)].sort();
}

describe("with a role", () => {
	const running = useService({ SCIM: "true", SAML: "true" });

	test.each(ROLES)("an operator with the role %s may do what the role permits", async (role) => {
		const service = await running();
		const { headers } = await newOperator(service, role);
		expect(await findAllowed(service, headers)).toEqual(ACTIONS.filter(isAllowed[role]).sort());
	});

	const scopes = ROLES.filter((role) => role !== "owner");

	test.each(scopes)(
		"a key with the scope %s may do the same, but nothing to operators and keys",
		async (role) => {
			const service = await running();
			const { key } = await service.backend.auth.api.createOperatorKey({
				body: { name: "deploy", scopes: [role] },
			});
			// Each action with one of the scopes: the test above has them with all roles.
			const part = scopes.indexOf(role);
			const actions = ACTIONS.filter((_, n) => TEST_ALL || n % scopes.length === part);
			const headers = { authorization: `Bearer ${key}` };
			expect(await findAllowed(service, headers, actions)).toEqual(
				actions
					.filter((action) => isAllowed[role](action) && !/^(operator|key):/.test(action))
					.sort(),
			);
		},
	);
});

test("a platform user who is not an operator may do nothing, and neither may anybody else", async () => {
	const service = await runningService({ SCIM: "true", SAML: "true" });
	const { id, headers } = await newOperator(service, "owner");
	await service.backend.database.db.deleteFrom("operator" as never).execute();
	expect(id).not.toBe("");
	expect(await findAllowed(service, headers)).toEqual([]);
	expect((await service.call("/api/auth/operator/me")).status).toBe(401);
	expect((await service.call("/api/auth/operator/list")).status).toBe(401);
	const wrong = { authorization: "Bearer tak_wrong" };
	expect((await service.call("/api/auth/operator/list", { headers: wrong })).status).toBe(403);
});
