import type { SignInRecorder } from "../../call/port/tenant-plugin";
import { digestEmail, SIGN_IN_MODEL, type SignInRow } from "./sign-in-log";

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_EMAIL = 320;

/** What the sign-in log stores, for so many days. */
export function signInRecorder(retentionDays: number): SignInRecorder {
	const resultOf = (type: string) => type.slice("sign-in.".length) as SignInRow["result"];
	const expiryOf = (createdAt: Date) => new Date(createdAt.getTime() + retentionDays * DAY_MS);
	return {
		table: SIGN_IN_MODEL,
		rowOf: async (ctx, { type, tenantId, createdAt, data }) => {
			const email: unknown = ctx.body?.email;
			const isEmail = typeof email === "string" && email.length <= MAX_EMAIL;
			const { userId, method, providerId, reason = null, ipAddress, userAgent } = data;
			return {
				...{ tenantId, createdAt, expiresAt: expiryOf(createdAt), userId },
				emailDigest: isEmail ? await digestEmail(ctx.context, tenantId, email) : null,
				...{ method, providerId, result: resultOf(type), reason, ipAddress, userAgent },
				attempts: 1,
			};
		},
		rowOfRest: ({ tenantId, createdAt, type, attempts }) => ({
			...{ tenantId, createdAt, expiresAt: expiryOf(createdAt), userId: null, emailDigest: null },
			...{ method: null, providerId: null, result: resultOf(type), reason: null },
			...{ ipAddress: null, userAgent: null, attempts },
		}),
	};
}
