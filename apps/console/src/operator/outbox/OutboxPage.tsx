import { useQuery } from "@tanstack/react-query";
import { Button } from "../../ui/Button";
import { EmptyState } from "../../ui/EmptyState";
import { ErrorState } from "../../ui/ErrorState";
import { PageHeader } from "../../ui/PageHeader";
import { Skeleton } from "../../ui/Skeleton";
import { type KeptMail, listMails } from "../api/service";
import { useListState } from "../lists/list-state";
import { NothingFound } from "../lists/NothingFound";
import { Toolbar } from "../lists/Toolbar";
import { MailCard } from "./MailCard";

const matches = ({ to, subject }: KeptMail, search: string) =>
	`${to} ${subject}`.toLowerCase().includes(search.toLowerCase());

/** Mails that were not sent, on a server that nobody but this machine uses. */
export function OutboxPage() {
	const state = useListState();
	const { data, error, refetch } = useQuery({
		queryKey: ["outbox"],
		queryFn: listMails,
		refetchInterval: 5000,
	});
	const found = data?.filter((mail) => matches(mail, state.search));
	return (
		<div className="stack">
			<title>Outbox · Console</title>
			<PageHeader
				title="Outbox"
				focus={false}
				hint="No mail server is set (SMTP_URL): the last 100 mails stay here instead."
				actions={<Button onClick={() => refetch()}>Refresh</Button>}
			/>
			<Toolbar label="Search by address or subject" state={state} />
			{error && !data && <ErrorState error={error} onRetry={refetch} />}
			{!data && !error && <Skeleton kind="block" />}
			{found?.length === 0 &&
				(state.search ? (
					<NothingFound what="mails" state={state} />
				) : (
					<EmptyState title="No mail yet">
						Verifications and password resets appear here.
					</EmptyState>
				))}
			{found?.map((mail) => (
				<MailCard key={mail.id} mail={mail} />
			))}
		</div>
	);
}
