import { queryOptions } from "@tanstack/react-query";
import { get, post, type Role } from "./operators";

/** A session of the operator who uses the console. */
export type OwnSession = {
	id: string;
	createdAt: string;
	expiresAt: string;
	ipAddress: string | null;
	userAgent: string | null;
	current: boolean;
};

/** The account of the operator who uses the console. */
export type OwnAccount = {
	id: string;
	email: string;
	name: string;
	role: Role;
	secondFactor: boolean;
	recoveryCodesLeft: number;
	sessions: OwnSession[];
};

export const accountQuery = queryOptions({
	queryKey: ["own-account"],
	queryFn: () => get<OwnAccount>("/operator/account"),
});

export const updateAccount = (name: string) => post("/operator/account/update", { name });

export const changePassword = (currentPassword: string, newPassword: string) =>
	post("/operator/account/change-password", { currentPassword, newPassword });

/** A second factor that takes effect when it is confirmed. */
export type SecondFactorSetup = { totpURI: string; recoveryCodes: string[]; setup: string };

export const setUpSecondFactor = (password: string) =>
	post<SecondFactorSetup>("/operator/account/set-up-second-factor", { password });

export const confirmSecondFactor = (setup: string, code: string) =>
	post("/operator/account/confirm-second-factor", { setup, code });

export const createRecoveryCodes = (password: string) =>
	post<{ recoveryCodes: string[] }>("/operator/account/create-recovery-codes", { password });

export const revokeSession = (id: string) => post("/operator/account/revoke-session", { id });

export const revokeOtherSessions = () => post("/operator/account/revoke-other-sessions", {});
