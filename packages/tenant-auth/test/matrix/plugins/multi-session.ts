import { multiSession } from "better-auth/plugins";
import { aboutA, aboutB, answers, type PluginMatrix, refused } from "./matrix";

const notHere = refused(401, "INVALID_SESSION_TOKEN");

/** One browser, which is signed in to both tenants. */
export const multiSessionMatrix: PluginMatrix<object> = {
	plugin: "multi-session",
	options: () => ({ plugins: [multiSession()] }),
	rows: {
		listDeviceSessions: [
			{
				tries: "lists, with A's cookies beside its own",
				call: ({ a }) => ({
					path: "/multi-session/list-device-sessions",
					cookie: cookieOfDevice(a),
				}),
				by: "user",
				ways: [
					"with its own session",
					"with its own session and its own name",
					"with A's session and its own name",
					"with no session and its own name",
				],
				gets: aboutB,
				otherwise: answers(() => []),
				own: aboutA,
			},
		],
		setActiveSession: [
			{
				tries: "changes to A's session",
				call: ({ a }) => ({
					path: "/multi-session/set-active",
					body: { sessionToken: a.token },
					cookie: cookieOfDevice(a),
				}),
				by: "anyone",
				gets: notHere,
				own: aboutA,
			},
		],
		revokeDeviceSession: [
			{
				tries: "ends A's session",
				call: ({ a }) => ({
					path: "/multi-session/revoke",
					body: { sessionToken: a.token },
					cookie: cookieOfDevice(a),
				}),
				by: "user",
				gets: answers(() => ({ status: true })),
				own: answers(() => ({ status: true })),
			},
		],
	},
};

/** The cookie by which the plugin remembers a session that is not the active one. */
const cookieOfDevice = ({ cookie }: { cookie: string }) =>
	cookie
		.split("; ")
		.filter((it) => it.includes("_multi-"))
		.join("; ");
