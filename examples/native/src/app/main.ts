// The app. It signs in at a tenant in two ways, and says who is signed in.
import { client } from "./client.js";
import { keychain } from "./keychain.js";
import { signInWithDeepLink, signInWithIdToken } from "./sign-in.js";

const [slug = "acme"] = process.argv.slice(2);
const { PROVIDER_URL = "http://localhost:4000" } = process.env;

const { data: workspace, error } = await client.tenant.loginOptions({ query: { slug } });
if (error) throw new Error(error.message);
keychain.set("tenant", workspace.tenant.id);
const [provider = "none"] = workspace.providers;

async function report(way: string) {
	const { data: session } = await client.getSession();
	const { data: tenant } = await client.tenant.current();
	console.log(`${way}: hello, ${session?.user.name} of ${tenant?.name}`);
}

await signInWithIdToken(provider, PROVIDER_URL);
await report("ID token");
await client.signOut();
keychain.delete("token");

await signInWithDeepLink(provider);
await report("Deep link");
