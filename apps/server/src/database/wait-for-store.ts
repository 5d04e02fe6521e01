import { currentRequest } from "../monitoring/request-record";
import { StoreUnavailableError } from "./outage";

type Wait<T> = {
	/** A limit of its own, which work without a request has too. */
	atMostMs?: number;
	/** Ends what is still going on. */
	giveUp?: () => void;
	/** Gets a result that nobody waits for any more. */
	onLate?: (result: T) => unknown;
};

/**
 * Waits for a store, for as long as the running request has time left. Work without a request, such as a
 * job or a migration, may take as long as it needs.
 *
 * @throws StoreUnavailableError when the time is up; without time left, nothing is asked
 */
export async function waitForStore<T>(
	ask: () => Promise<T>,
	{ atMostMs = Number.POSITIVE_INFINITY, giveUp = () => {}, onLate = () => {} }: Wait<T> = {},
): Promise<T> {
	const time = currentRequest()?.storeTime;
	const limitMs = Math.min(atMostMs, time?.leftMs ?? atMostMs);
	if (limitMs === Number.POSITIVE_INFINITY) return ask();
	if (limitMs <= 0) {
		giveUp();
		throw new StoreUnavailableError("The request has no time left for its stores");
	}
	const endWait = time?.startWait();
	const asked = ask();
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<typeof LATE>((resolve) => {
		timer = setTimeout(() => resolve(LATE), limitMs);
	});
	const first = await Promise.race([asked, timeout]).finally(() => {
		clearTimeout(timer);
		endWait?.();
	});
	if (first !== LATE) return first;
	giveUp();
	asked.then(onLate).catch(() => {});
	throw new StoreUnavailableError(`No response of a store in ${Math.round(limitMs)} ms`);
}

const LATE = Symbol("late");
