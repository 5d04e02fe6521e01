import { customSession } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { answers, type PluginMatrix } from "./matrix";

export const customSessionMatrix: PluginMatrix<object> = {
	plugin: "custom-session",
	options: () => ({
		plugins: [
			customSession(async ({ user, session }) => ({
				user: { id: user.id },
				session: { token: session.token, userId: session.userId, id: session.id },
				tenantId: await getCurrentTenantId(),
			})),
		],
	}),
	rows: {
		getSession: [
			{
				tries: "asks who it is, with A's ids beside it",
				call: ({ a }) => ({ path: "/get-session", query: { userId: a.userId, id: a.sessionId } }),
				by: "user",
				gets: answers(({ b }) => sessionOf(b)),
				otherwise: answers(() => null),
				own: answers(({ a }) => sessionOf(a)),
			},
		],
	},
};

const sessionOf = (side: Record<"userId" | "sessionId" | "token" | "tenantId", string>) => ({
	user: { id: side.userId },
	session: { id: side.sessionId, userId: side.userId, token: side.token },
	tenantId: side.tenantId,
});
