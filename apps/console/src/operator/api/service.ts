import { serviceFetch } from "../../api/service-fetch";
import { findManagementKey } from "../session/management-key";

type Day = {
	/** As `2026-11-15`, in UTC. */
	day: string;
	signIns: number;
	failures: number;
	signUps: number;
};

export type Overview = {
	tenants: number;
	users: number;
	/** Oldest first. */
	days: Day[];
};

export type ServiceInfo = {
	baseUrl: string;
	/** The tenant with slug `acme` is at `acme.<tenantDomain>`; `null` where it is at `/t/acme`. */
	tenantDomain: string | null;
	/** Whether mails that were not sent can be read. */
	outbox: boolean;
};

export type KeptMail = { id: number; to: string; subject: string; text: string; sentAt: string };

function authorization(): HeadersInit {
	const key = findManagementKey();
	return key ? { authorization: `Bearer ${key}` } : {};
}

const ask = <Data>(path: `/service/${string}`) =>
	serviceFetch<Data>(path, { headers: authorization() });

export const infoKey = ["service-info"];

export const getInfo = () => ask<ServiceInfo>("/service/info");
export const getOverview = () => ask<Overview>("/service/overview");
export const listMails = () => ask<KeptMail[]>("/service/outbox");
