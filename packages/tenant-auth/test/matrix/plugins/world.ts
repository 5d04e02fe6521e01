import { getCurrentTenantId } from "better-auth-tenant";
import {
	type Answer,
	type Instance,
	type InstanceOptions,
	makeInstance,
} from "../../support/worlds/instance";
import type { Call } from "../attack";
import { inSetup, type StoreSetup } from "../setups";
import { type SplitRows, secretsOfRows, splitRows } from "../tenant-rows";

/** One of two tenants. Both have a user with the same email. */
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

/** An email or a message that the app would send. */
type Sent = Record<string, unknown> & { tenantId: string | null };

/** What the options of the app may use. */
interface Host {
	send: (message: object) => Promise<void>;
	/** Ends a service that the options started. */
	onEnd: (end: () => Promise<void>) => void;
}

export interface Setup<Own> {
	/** The app, with the plugin. */
	options: (host: Host) => InstanceOptions | Promise<InstanceOptions>;
	/** What users sign up with, besides name, email and password. */
	signUp?: (name: string) => Partial<Call>;
	/** Creates what a side has of the plugin, through the flows of the plugin. */
	make?: (maker: Maker, side: Side) => Promise<Own>;
}

/** Calls by one of the sides. */
export interface Maker extends Instance {
	/** Calls with the session of the side. */
	as: (path: string, call?: Partial<Call>) => Promise<Answer>;
	/** Calls without a session. */
	to: (path: string, call?: Partial<Call>) => Promise<Answer>;
	/** The latest message. */
	last: () => Sent;
}

/** B attacks A. */
export interface PluginWorld<Own> extends Instance {
	a: Side & Own;
	b: Side & Own;
	/** What the app sent during the test. */
	outbox: Sent[];
	/** What no answer to B may contain. */
	secrets: string[];
	/** The rows before the attack: those of A, and all others. */
	savedRows: SplitRows;
	close: () => Promise<unknown>;
}

export async function makePluginWorld<Own>(
	setup: Setup<Own>,
	stores?: StoreSetup,
): Promise<PluginWorld<Own>> {
	const outbox: Sent[] = [];
	const ends: (() => Promise<void>)[] = [];
	const options = await setup.options({
		async send(message) {
			outbox.push({ ...message, tenantId: await getCurrentTenantId() });
		},
		onEnd: (end) => ends.push(end),
	});
	const instance = await makeInstance(inSetup(options, stores));
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
	outbox.length = 0;
	return {
		...instance,
		a,
		b,
		outbox,
		secrets: secretsOfRows(instance, a.tenantId),
		savedRows: splitRows(instance, a.tenantId),
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
		body: { name: `Ada of ${name}`, email, password, ...(typeof body === "object" ? body : {}) },
	});
	const { session } = (await call("/get-session", { cookie })).body;
	const { id: sessionId, userId, token } = session;
	return { name, tenantId, email, password, userId, sessionId, token, cookie };
}
