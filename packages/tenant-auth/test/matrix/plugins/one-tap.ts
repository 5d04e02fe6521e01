import { oneTap } from "better-auth/plugins";
import { obtainGoogleIdToken } from "../../support/providers/id-token";
import { startIdentityProvider } from "../../support/providers/identity-provider";
import { aboutA, aboutB, type PluginMatrix } from "./matrix";

/** Both sides are the user of one person at Google. */
export function makeOneTapMatrix(): PluginMatrix<object> {
	let idToken = "";
	return {
		plugin: "one-tap",
		async options({ onEnd }) {
			const google = await startIdentityProvider("google");
			onEnd(google.close);
			const client = await google.addClient({ redirectURIs: ["https://app.example.com/none"] });
			const person = google.addPerson({ email: "person@example.com" });
			idToken = await obtainGoogleIdToken(google, client, person);
			return { plugins: [oneTap({ clientId: client.clientId })] };
		},
		async make({ to, call, manage }, { tenantId }) {
			// The host's client it is, also in a tenant that has one of its own.
			await manage("/tenant/oauth-config/register", {
				body: { tenantId, providerId: "google", clientId: "own", clientSecret: "own secret" },
			});
			const { cookie } = await to("/one-tap/callback", { body: { idToken } });
			const { session } = (await call("/get-session", { cookie })).body;
			const { id: sessionId, token, userId } = session;
			return { cookie, sessionId, token, userId };
		},
		rows: {
			oneTapCallback: [
				{
					tries: "comes as a person whom A knows too",
					call: () => ({ path: "/one-tap/callback", body: { idToken } }),
					by: "anyone",
					gets: aboutB,
					own: aboutA,
				},
			],
		},
	};
}
