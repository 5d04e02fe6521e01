import { createHash } from "node:crypto";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext, Session } from "better-auth";
import {
	type SecondFactor,
	sealRecoveryCodes,
	sealSecondFactor,
	unsealRecoveryCodes,
} from "./second-factor";

/** More than anybody wants to see. */
const MAX_LISTED = 1000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** What belongs to the account of one operator. All functions must run on the platform. */
export function accountStore(context: AuthContext, userId: string) {
	const { internalAdapter } = context;
	/** In a transaction, everything has to use its connection. */
	const database = () => getCurrentAdapter(context.adapter);
	const byUser = [{ field: "userId", value: userId }];

	/** The sessions that have not ended, the newest first. */
	const listSessions = async (limit = MAX_LISTED): Promise<Session[]> =>
		(await database()).findMany<Session>({
			model: "session",
			where: [...byUser, { field: "expiresAt", operator: "gt", value: new Date() }],
			sortBy: { field: "createdAt", direction: "desc" },
			limit,
		});

	const findPasswordHash = async (): Promise<string | null> =>
		(await internalAdapter.findCredentialAccount(userId))?.password ?? null;

	return {
		listSessions,
		findPasswordHash,
		/** Another text as soon as the password or the second factor has changed. */
		digestCredentials: async (): Promise<string> => {
			const factor = await (await database()).findOne<{ id: string }>({
				model: "twoFactor",
				where: byUser,
			});
			const text = JSON.stringify([userId, await findPasswordHash(), factor?.id ?? null]);
			return createHash("sha256").update(text).digest("hex");
		},
		/** @returns how many have ended */
		endSessions: async (isEnded: (session: Session) => boolean): Promise<number> => {
			const ended = (await listSessions(NO_LIMIT)).filter(isEnded);
			for (const { token } of ended) await internalAdapter.deleteSession(token);
			return ended.length;
		},
		setPasswordHash: (hash: string) => internalAdapter.updatePassword(userId, hash),
		setName: (name: string) => internalAdapter.updateUser(userId, { name }),
		/** The codes that were not used yet; `null` without a second factor. */
		findRecoveryCodes: async (): Promise<string[] | null> => {
			const row = await (await database()).findOne<{ backupCodes: string; verified?: boolean }>({
				model: "twoFactor",
				where: byUser,
			});
			return row && row.verified !== false ? unsealRecoveryCodes(context, row.backupCodes) : null;
		},
		setRecoveryCodes: async (codes: readonly string[]) => {
			const update = { backupCodes: await sealRecoveryCodes(context, codes) };
			await (await database()).updateMany({ model: "twoFactor", where: byUser, update });
		},
		/** Replaces the second factor if there is one. */
		setSecondFactor: async (factor: SecondFactor) => {
			const db = await database();
			await db.deleteMany({ model: "twoFactor", where: byUser });
			const data = { ...(await sealSecondFactor(context, factor)), userId, verified: true };
			await db.create({ model: "twoFactor", data });
			await internalAdapter.updateUser(userId, { twoFactorEnabled: true });
		},
	};
}

export type AccountStore = ReturnType<typeof accountStore>;
