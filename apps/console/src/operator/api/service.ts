import { serviceFetch } from "../../api/service-fetch";
import { findManagementKey } from "../session/management-key";

export type Day = {
	/** As `2026-11-15`, in UTC. */
	day: string;
	signIns: number;
	failures: number;
};

export type Overview = {
	tenants: number;
	users: number;
	/** Oldest first. */
	days: Day[];
};

function authorization(): HeadersInit {
	const key = findManagementKey();
	return key ? { authorization: `Bearer ${key}` } : {};
}

export const getOverview = () =>
	serviceFetch<Overview>("/service/overview", { headers: authorization() });
