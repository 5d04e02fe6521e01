import { defineCallState } from "../../call/context/current-state";
import { tenantError } from "../../tenant-error";
import { isRole, OWNER, type Rights, reaches, roleOf } from "./roles";

/** A user who manages their own tenant by their role. */
export interface ActingMember {
	readonly userId: string;
	readonly tenantId: string;
	readonly role: string;
}

const acting = defineCallState<{ member: ActingMember | null }>(() => ({ member: null }));

export function setActingMember(member: ActingMember): void {
	acting.get().member = member;
}

/** `null` if the app itself manages: its server, a key, a platform admin, or `canManageTenants`. */
export const findActingMember = (): ActingMember | null => acting.find()?.member ?? null;

/** @throws APIError `ROLE_NOT_ALLOWED` for a user whose role permits more than the caller's */
export function requireReachable(rights: Rights, user: object): void {
	const member = findActingMember();
	if (member && !reaches(rights, member.role, roleOf(user))) throw tenantError("ROLE_NOT_ALLOWED");
}

/** @throws APIError `ROLE_NOT_FOUND`, or `ROLE_NOT_ALLOWED` for one that permits more than the caller's */
export function requireGrantable(rights: Rights, role: string): void {
	if (!isRole(rights.roles, role)) throw tenantError("ROLE_NOT_FOUND");
	const member = findActingMember();
	if (member && !reaches(rights, member.role, role)) throw tenantError("ROLE_NOT_ALLOWED");
}

/**
 * A verified email is valid outside of the tenant too. So a tenant cannot declare it, as it cannot with an
 * identity provider that it controls.
 *
 * @throws APIError `ROLE_NOT_ALLOWED` for every role of the tenant
 */
export function requireAppToVerify(emailVerified: boolean | undefined): void {
	if (!emailVerified || !findActingMember()) return;
	throw tenantError("ROLE_NOT_ALLOWED", { message: "Only the app can declare an email verified" });
}

/** Whether the caller manages as an owner of the tenant, and not for the app. */
export const isActingOwner = (): boolean => findActingMember()?.role === OWNER;

/** @throws APIError `ROLE_NOT_ALLOWED` for an admin or another role of the tenant */
export function requireOwner(message?: string): void {
	const member = findActingMember();
	if (!member || member.role === OWNER) return;
	throw tenantError("ROLE_NOT_ALLOWED", message ? { message } : {});
}
