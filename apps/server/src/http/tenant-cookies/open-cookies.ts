import {
	type Held,
	isDeletion,
	isSame,
	type Jar,
	parseSetCookie,
	placeOf,
	type SessionCookies,
	tokenOf,
} from "./session-cookies";

/**
 * How many tenants a browser can be signed in to. A proxy such as nginx accepts 8 KB of cookies, and a tenant
 * needs up to 500 bytes of them.
 */
export const MAX_TENANTS = 10;

/** What the cookies themselves do not say. */
export type KnownSessions = {
	/** The tenant of a session that this request has created; `""` is the platform. */
	findNewTenant: (token: string) => string | undefined;
	/** The tenant's session of a signed token. */
	findSession: (token: string) => Promise<{ tenantId: string; expiresAt: Date } | null>;
};

/** The cookies of one request, and of its response. */
export type OpenedCookies = ReturnType<typeof openCookies>;

/** @param tenantId the tenant that the request names */
export function openCookies(
	cookies: SessionCookies,
	given: Headers,
	tenantId: string | null,
	{ findNewTenant, findSession }: KnownSessions,
) {
	const jar = cookies.read(given);
	const { active } = jar;
	const named = tenantId === null ? null : placeOf(tenantId);
	const copy = named === null ? undefined : jar.copies.get(named);
	const own = copy?.token === undefined ? null : copy;
	// Better Auth also gets the active session if it is known to be of another tenant: the plugin refuses it, and
	// says so. It must not end because of that.
	const isOfOther = named !== null && own === null && placesOf(jar, active).length > 0;
	const used: Held = own ?? (isOfOther ? {} : active);

	/** The active session is replaced. If it has no copy, because it is from before there were copies, it gets one. */
	const keepActive = async (changes: Changes, replacedBy: string | null): Promise<void> => {
		if (active.token === undefined || placesOf(jar, active).length > 0) return;
		const session = await findSession(active.token);
		if (session === null) return;
		const place = placeOf(session.tenantId);
		if (place === replacedBy) return;
		const left = Math.floor((session.expiresAt.getTime() - Date.now()) / 1000);
		changes.set(place, active, Math.max(0, left));
	};

	/** What the browser gets in place of the cookies that Better Auth sets. */
	const close = async (setCookies: string[]): Promise<string[]> => {
		const set = setCookies.map(parseSetCookie);
		const session = set.findLast(({ name }) => name === cookies.names.token);
		if (!session) return setCookies;
		const changes = changesOf(cookies, jar);
		const ofSession = set.filter(({ name }) => cookies.isActive(name));
		const dontRemember = ofSession.find(
			(one) => one.name === cookies.names.dontRemember && !isDeletion(one),
		);
		const others = set.filter((one) => !ofSession.includes(one)).map(({ text }) => text);
		// The session cookie stays the first one: some clients take no other.
		const all = () => [...changes.list(), ...others];

		if (isDeletion(session)) {
			for (const place of placesOf(jar, used)) changes.end(place);
			if (active.token !== undefined && !isSame(used.token, active.token)) {
				// The first step of a sign-in with two: the second one reads it.
				if (dontRemember) changes.pass([dontRemember]);
			} else {
				changes.pass(ofSession);
				if (named !== null) await keepActive(changes, named);
			}
			return all();
		}

		const next: Held = {
			token: session.value,
			...(dontRemember ? { dontRemember: dontRemember.value } : {}),
		};
		const [known = null] = placesOf(jar, next);
		const ofTenant = findNewTenant(tokenOf(session.value));
		const place = ofTenant ? placeOf(ofTenant) : known;
		const isActive = isSame(session.value, active.token);
		// A session that is only renewed takes the place of no other one.
		if (isActive || known === null) {
			changes.setActive(next, session.seconds);
			changes.pass(ofSession.filter(({ name }) => !Object.values(cookies.names).includes(name)));
			if (!isActive) await keepActive(changes, place);
		}
		if (place !== null) changes.set(place, next, session.seconds);
		return all();
	};

	/** Makes a session the active one, if it is that of the named tenant. */
	const select = async (token: string): Promise<string[]> => {
		if (own?.token === undefined || tokenOf(own.token) !== token) return [];
		const changes = changesOf(cookies, jar);
		changes.setActive(own, cookies.maxAge);
		await keepActive(changes, named);
		return changes.list();
	};

	return {
		/** With the session that the request is about. */
		headers: own ? cookies.replace(given, own) : given,
		close,
		select,
		/** Whether a request that names no tenant would have another session. */
		isElsewhere: own !== null && !isSame(own.token, active.token),
	};
}

/** The places of the copies of a session. */
const placesOf = ({ copies }: Jar, { token }: Held): string[] =>
	[...copies].flatMap(([place, copy]) => (isSame(copy.token, token) ? [place] : []));

type Changes = ReturnType<typeof changesOf>;

/** Collects the cookies of a response. If there are more tenants than a browser can have, the oldest go. */
function changesOf(cookies: SessionCookies, { active, copies }: Jar) {
	const texts: string[] = [];
	const places = new Set(copies.keys());
	const added = new Set<string>();
	const write = (place: string, next: Held, seconds?: number) =>
		texts.push(...cookies.write(place, copies.get(place) ?? {}, next, seconds));
	const end = (place: string) => {
		places.delete(place);
		write(place, {});
	};
	return {
		pass: (others: { text: string }[]) => texts.push(...others.map(({ text }) => text)),
		setActive: (next: Held, seconds?: number) =>
			texts.push(...cookies.write(null, active, next, seconds)),
		set: (place: string, next: Held, seconds?: number) => {
			places.add(place);
			added.add(place);
			write(place, next, seconds);
		},
		end,
		list: () => {
			const old = [...places].filter((place) => !added.has(place));
			const excess = added.size === 0 ? 0 : Math.max(0, places.size - MAX_TENANTS);
			for (const place of old.slice(0, excess)) end(place);
			return texts;
		},
	};
}
