import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../api/client";
import { client } from "./client";

/** As `apps/server/src/operators` has them. */
export const ROLES = ["owner", "operator", "auditor", "support"] as const;

export type Role = (typeof ROLES)[number];

export const KEY_ROLES = ROLES.filter((role) => role !== "owner");

export const ROLE_LABELS: Record<Role, string> = {
	owner: "Owner",
	operator: "Operator",
	auditor: "Auditor",
	support: "Support",
};

/** A scope is a role or a single action. */
export function labelOfScope(scope: string): string {
	const role = ROLES.find((one) => one === scope);
	return role ? ROLE_LABELS[role] : scope;
}

/** What each role may do, in a few words. */
export const ROLE_HINTS: Record<Role, string> = {
	owner: "Everything, including operators and keys",
	operator: "Everything of tenants, but not whole exports, operators and keys",
	auditor: "Reads everything, changes nothing",
	support: "Finds users, ends sessions, sends resets, disables and impersonates users",
};

export type OperatorAccount = {
	id: string;
	email: string;
	name: string;
	role: Role;
	secondFactor: boolean;
	pending: boolean;
	fromSettings: boolean;
	createdAt: string;
	lastUsedAt: string | null;
};

export type OperatorKey = {
	id: string;
	name: string;
	start: string;
	scopes: string[];
	tenantId: string | null;
	createdBy: string | null;
	createdAt: string;
	expiresAt: string | null;
	lastUsedAt: string | null;
};

/** `url` is `null` if the link was sent by email. */
export type PasswordLink = { operator: OperatorAccount; url: string | null; expiresAt: string };

export const get = <Data>(path: `/operator/${string}`) => callApi(client.$fetch<Data>(path));

export const post = <Data>(path: `/operator/${string}` | `/two-factor/${string}`, body: object) =>
	callApi(client.$fetch<Data>(path, { method: "POST", body }));

export const operatorsQuery = queryOptions({
	queryKey: ["operators"],
	queryFn: () => get<OperatorAccount[]>("/operator/list"),
});

type Invitation = { email: string; name?: string; role: Role; replace: boolean };

export const inviteOperator = (invitation: Invitation) =>
	post<PasswordLink>("/operator/create", invitation);

export const changeRole = (userId: string, role: Role) =>
	post<OperatorAccount>("/operator/update", { userId, role });

export const resetOperator = (userId: string) => post<PasswordLink>("/operator/reset", { userId });

export const removeOperator = (userId: string) => post("/operator/remove", { userId });

export const keysQuery = queryOptions({
	queryKey: ["operator-keys"],
	queryFn: () => get<OperatorKey[]>("/operator/key/list"),
});

type NewKey = { name: string; scopes: string[]; tenantId?: string; expiresAt?: string };

export const createKey = (key: NewKey) =>
	post<OperatorKey & { key: string }>("/operator/key/create", key);

export const revokeKey = (id: string) => post("/operator/key/revoke", { id });

/** Who uses the console. */
export type CurrentOperator =
	| {
			status: "allowed";
			kind: "administrator" | "key";
			id: string;
			name: string | null;
			email: string | null;
			role: Role | null;
			tenantId: string | null;
			actions: string[];
	  }
	| {
			status: "second-factor-required" | "not-an-operator";
			id: string;
			email: string;
			name: string;
	  };

export const getCurrentOperator = () => get<CurrentOperator>("/operator/me");

/** Opens the session of the console, with a key or after a sign-in. It is a cookie, so tabs share it. */
export const openConsole = (key?: string) =>
	post<CurrentOperator>("/operator/session/open", key === undefined ? {} : { key });

export const closeConsole = () => post("/operator/session/close", {});

/** Whether the operator may do it, and knows their own password. A key needs none. */
export const confirmOperator = (action: string, currentPassword: string) =>
	post("/operator/confirm", { action, tenantId: null, currentPassword });

export const verifyCode = (code: string) => post("/two-factor/verify-totp", { code });

export const verifyRecoveryCode = (code: string) =>
	post("/two-factor/verify-backup-code", { code });

/**
 * Whether the link of an invitation or of a password reset still works. Better Auth says so by the page
 * that it redirects to.
 */
export async function checkPasswordLink(token: string): Promise<boolean> {
	const query = new URLSearchParams({ callbackURL: "/console/new-password" });
	const { url } = await fetch(`/api/auth/reset-password/${encodeURIComponent(token)}?${query}`);
	return !new URL(url).searchParams.has("error");
}
