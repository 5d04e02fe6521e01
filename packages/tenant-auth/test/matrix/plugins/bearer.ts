import { bearer } from "better-auth/plugins";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";
import type { Side } from "./world";

const bearing = ({ token }: Side) => ({ headers: { authorization: `Bearer ${token}` } });

/** The plugin has no endpoint: its tokens are presented at core's. */
export const bearerMatrix: PluginMatrix<object> = {
	plugin: "bearer",
	options: () => ({ plugins: [bearer()] }),
	rows: {},
	core: {
		getSession: [
			{
				tries: "presents A's token",
				call: ({ a }) => ({ path: "/get-session", ...bearing(a) }),
				by: "holder",
				gets: answers(() => null),
				own: aboutA,
				signedOut: true,
			},
		],
		listSessions: [
			{
				tries: "presents A's token",
				call: ({ a }) => ({ path: "/list-sessions", ...bearing(a) }),
				by: "holder",
				gets: refused(401),
				own: aboutA,
				signedOut: true,
			},
		],
		updateUser: [
			{
				tries: "presents A's token",
				call: ({ a }) => ({ path: "/update-user", body: { name: "Taken over" }, ...bearing(a) }),
				by: "holder",
				gets: refused(401),
				own: answers(() => ({ status: true })),
				signedOut: true,
			},
		],
		signOut: [
			{
				tries: "presents A's token",
				call: ({ a }) => ({ path: "/sign-out", body: {}, ...bearing(a) }),
				by: "holder",
				gets: answers(() => ({ success: true })),
				own: answers(() => ({ success: true })),
				signedOut: true,
			},
		],
	},
};
