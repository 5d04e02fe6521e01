import { getCurrentTenantId } from "better-auth-tenant";
import {
	type Answer,
	type Instance,
	type InstanceOptions,
	makeInstance,
} from "../../support/instance";
import { saveRows } from "../../support/sqlite-rows";
import type { Call } from "../attack";
import { secretsOfRows } from "../tenant-rows";

/** One of two tenants, with a user of the same address as the other's. */
export interface Side {
	name: "a" | "b";
	tenantId: string;
	email: string;
	password: string;
	userId: string;
	sessionId: string;
	token: string;
	cookie: string;
}

/** A mail or message that the host would send. */
type Sent = Record<string, unknown> & { tenantId: string | null };

/** What the host of a plugin has at hand. */
interface Host {
	send: (message: object) => Promise<void>;
	/** Ends a service that it has started. */
	onEnd: (end: () => Promise<void>) => void;
}

export interface Setup<Own> {
	/** The host, with the plugin. */
	options: (host: Host) => InstanceOptions | Promise<InstanceOptions>;
	/** What its users sign up with beside name, address and password. */
	signUp?: (name: string) => Partial<Call>;
	/** What the plugin has made for a side, through its own flows. */
	make?: (maker: Maker, side: Side) => Promise<Own>;
}

/** Calls in the name of one of the sides. */
export interface Maker extends Instance {
	/** With the side's session. */
	as: (path: string, call?: Partial<Call>) => Promise<Answer>;
	/** Without. */
	to: (path: string, call?: Partial<Call>) => Promise<Answer>;
	/** What was sent last. */
	last: () => Sent;
}

/** Tenant A, which is attacked, and tenant B, which attacks. */
export interface PluginWorld<Own> extends Instance {
	a: Side & Own;
	b: Side & Own;
	/** What the host has sent since the attack began. */
	outbox: Sent[];
	/** What no answer to B may tell. */
	secrets: string[];
	/** Puts everything back to how it was before the first attack. */
	restore: () => void;
	close: () => Promise<unknown>;
}

export async function makePluginWorld<Own>(setup: Setup<Own>): Promise<PluginWorld<Own>> {
	const outbox: Sent[] = [];
	const ends: (() => Promise<void>)[] = [];
	const options = await setup.options({
		async send(message) {
			outbox.push({ ...message, tenantId: await getCurrentTenantId() });
		},
		onEnd: (end) => ends.push(end),
	});
	const instance = await makeInstance(options);
	const makeSide = async (name: Side["name"]) => {
		const side = await signUpIn(instance, name, setup.signUp?.(name));
		const { tenantId, cookie } = side;
		const maker: Maker = {
			...instance,
			as: (path, call) =>
				instance.call(path, {
					tenant: tenantId,
					...call,
					cookie: `${cookie}; ${call?.cookie ?? ""}`,
				}),
			to: (path, call) => instance.call(path, { tenant: tenantId, ...call }),
			last: () => outbox.at(-1) as Sent,
		};
		return { ...side, ...((await setup.make?.(maker, side)) as Own) };
	};
	const [a, b] = [await makeSide("a"), await makeSide("b")];
	const restoreRows = saveRows(instance);
	return {
		...instance,
		a,
		b,
		outbox,
		secrets: secretsOfRows(instance, a.tenantId),
		restore() {
			restoreRows();
			outbox.length = 0;
		},
		close: () => Promise.all(ends.map((end) => end())),
	};
}

async function signUpIn(
	{ call, makeTenant }: Instance,
	name: Side["name"],
	{ body, ...more }: Partial<Call> = {},
): Promise<Side> {
	const tenantId = await makeTenant(`tenant-of-${name}`);
	const email = "ada@example.com";
	const password = `the password in ${name}`;
	const { cookie } = await call("/sign-up/email", {
		...more,
		tenant: tenantId,
		body: { name: `Ada of ${name}`, email, password, ...body },
	});
	const { session } = (await call("/get-session", { cookie })).body;
	const { id: sessionId, userId, token } = session;
	return { name, tenantId, email, password, userId, sessionId, token, cookie };
}
