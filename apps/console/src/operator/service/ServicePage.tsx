import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatCount } from "../../format";
import { Button } from "../../ui/Button";
import { Badge } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { type Column, Table } from "../../ui/Table";
import { useApi } from "../api/context";
import type { Job, ServiceInfo, ServiceJobs } from "../api/service";
import { DetailList, Time, Url } from "../details";
import { Loaded } from "../lists/Loaded";
import { ServicePageHeader } from "../ServicePageHeader";
import { useMay } from "../session/operator";
import { EventStreamCard } from "./EventStreamCard";
import { describeInterval } from "./intervals";
import { settingOfJob, titleOfJob } from "./job-names";
import { MissingMailNotice } from "./MissingMailNotice";
import { TestEmailDialog } from "./TestEmailDialog";

/** The settings of the service that operators ask about, and its jobs. It changes nothing. */
export function ServicePage() {
	const { serviceJobsQuery } = useApi();
	return (
		<div className="stack">
			<ServicePageHeader
				title="Service"
				hint="Settings come from the environment of the service. They are read when it starts."
			/>
			<ServerCard />
			<RegionCard />
			<MailCard />
			<Loaded query={useQuery(serviceJobsQuery)}>
				{({ retention, jobs, eventStream }) => (
					<>
						<RetentionCard retention={retention} />
						{eventStream && <EventStreamCard stream={eventStream} />}
						<Card title="Jobs" hint="The service runs them by itself, on one of its servers.">
							<Table
								caption="Jobs"
								columns={JOB_COLUMNS}
								rows={jobs}
								rowKey={({ name }) => name}
								empty={null}
							/>
						</Card>
					</>
				)}
			</Loaded>
		</div>
	);
}

const DATABASES: Record<ServiceInfo["database"], string> = {
	sqlite: "SQLite",
	postgres: "PostgreSQL",
	mysql: "MySQL or MariaDB",
};

function ServerCard() {
	const { serviceInfoQuery } = useApi();
	return (
		<Card title="Server">
			<Loaded query={useQuery(serviceInfoQuery)}>
				{({ baseUrl, tenantDomain, database, redis, version, node }) => (
					<DetailList
						details={[
							{ title: "URL", value: <Url>{baseUrl}</Url>, copy: baseUrl },
							...(tenantDomain ? [{ title: "Domain of tenants", value: tenantDomain }] : []),
							{ title: "Database", value: DATABASES[database] },
							{ title: "Redis", value: redis ? "In use" : "Not in use" },
							{ title: "Version", value: version },
							{ title: "Node", value: node },
						]}
					/>
				)}
			</Loaded>
		</Card>
	);
}

/** Nothing if the service is in one place. */
function RegionCard() {
	const { serviceInfoQuery } = useApi();
	const region = useQuery(serviceInfoQuery).data?.region;
	if (!region) return null;
	return (
		<Card title="Region" hint="A tenant lives in one region. Each region has a console of its own.">
			<DetailList
				details={[
					{ title: region.name, value: <Badge kind="info">This region</Badge> },
					...region.others.map(({ name, url }) => ({
						title: name,
						value: <a href={`${url}/console`}>{url}</a>,
					})),
				]}
			/>
		</Card>
	);
}

const MAIL_STATES: Record<string, ReactNode> = {
	smtp: <Badge kind="success">Sent by the mail server</Badge>,
	outbox: <Badge kind="info">Kept in the outbox</Badge>,
	none: <Badge kind="warning">Not sent</Badge>,
};

function MailCard() {
	const { serviceInfoQuery } = useApi();
	const info = useQuery(serviceInfoQuery);
	const may = useMay();
	const canSend = info.data !== undefined && info.data.mail !== "none";
	const [isTesting, setTesting] = useState(false);
	return (
		<Card
			title="Email"
			actions={
				canSend &&
				may("service:mail-test") && (
					<Button size="small" onClick={() => setTesting(true)}>
						Send a test email
					</Button>
				)
			}
		>
			<MissingMailNotice />
			<Loaded query={info}>
				{({ mail }) => <DetailList details={[{ title: "Emails", value: MAIL_STATES[mail] }]} />}
			</Loaded>
			<TestEmailDialog open={isTesting} onClose={() => setTesting(false)} />
		</Card>
	);
}

function RetentionCard({ retention }: Pick<ServiceJobs, "retention">) {
	const days = (count: number | null, setting: string) => (
		<>
			{count === null ? "Kept forever" : `${formatCount(count)} days`}
			<code className="muted small subtext">{setting}</code>
		</>
	);
	return (
		<Card title="Retention" hint="The clean-up deletes what is older.">
			<DetailList
				details={[
					{ title: "Audit log", value: days(retention.auditEvents, "AUDIT_RETENTION_DAYS") },
					{ title: "Sign-in log", value: days(retention.signIns, "SIGN_IN_RETENTION_DAYS") },
					{
						title: "Webhook deliveries",
						value: days(retention.webhookDeliveries, "WEBHOOK_RETENTION_DAYS"),
					},
				]}
			/>
		</Card>
	);
}

/** Each does a part, so there is no last run. */
const ON_EVERY_SERVER = ["webhooks", "logout-tokens"];

const JOB_COLUMNS: Column<Job>[] = [
	{ title: "Work", heading: true, cell: ({ name }) => titleOfJob(name) },
	{
		title: "How often",
		cell: ({ name, everySeconds }) => (
			<span>
				{describeInterval(everySeconds)}
				<code className="muted small subtext">{settingOfJob(name)}</code>
			</span>
		),
	},
	{ title: "Last run", cell: (job) => <LastRun job={job} /> },
	{ title: "Result", cell: ({ lastRun }) => <Result lastRun={lastRun} /> },
];

function LastRun({ job: { name, lastRun } }: { job: Job }) {
	if (lastRun) return <Time timestamp={lastRun.finishedAt} />;
	return (
		<span className="muted">{ON_EVERY_SERVER.includes(name) ? "On every server" : "Not yet"}</span>
	);
}

function Result({ lastRun }: Pick<Job, "lastRun">) {
	if (!lastRun) return <span className="muted">–</span>;
	if (lastRun.hasFailed) {
		return (
			<span>
				<Badge kind="danger">Failed</Badge>
				<span className="muted small subtext">The log says why. It is tried again.</span>
			</span>
		);
	}
	const done = Object.entries(lastRun.report).filter(([, count]) => count > 0);
	return (
		<span>
			<Badge kind="success">Done</Badge>
			<span className="muted small subtext">
				{done.length === 0
					? "There was nothing to do."
					: done.map(([what, count]) => `${toWords(what)}: ${formatCount(count)}`).join(", ")}
			</span>
		</span>
	);
}

/** `auditEvents` becomes "audit events". */
const toWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
