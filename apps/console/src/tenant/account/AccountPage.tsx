import { Navigate } from "react-router";
import { Button } from "../../ui/Button";
import { PageHeader } from "../../ui/PageHeader";
import { LoadingPage } from "../LoadingPage";
import { messageOf } from "../messages";
import { PlainPage } from "../PlainPage";
import { useSession } from "../session";
import { usePageTitle } from "../use-page-title";
import { AccountBar } from "./AccountBar";
import { DeleteCard } from "./DeleteCard";
import { EmailCard } from "./EmailCard";
import { LinkedAccountsCard } from "./LinkedAccountsCard";
import { PasswordCard } from "./PasswordCard";
import { ProfileCard } from "./ProfileCard";
import { SessionsCard } from "./SessionsCard";
import { useSignOut } from "./use-sign-out";

export function AccountPage() {
	const { data, error, isPending, refetch } = useSession();
	const signOut = useSignOut();
	usePageTitle("Account");
	if (isPending) return <LoadingPage />;
	if (error) {
		return (
			<PlainPage
				title="Your account could not be loaded"
				action={<Button onClick={() => refetch()}>Try again</Button>}
			>
				{messageOf(error)}
			</PlainPage>
		);
	}
	if (!data) return <Navigate to="/sign-in" replace />;
	return (
		<>
			<AccountBar>
				<Button size="small" busy={signOut.isPending} onClick={() => signOut.mutate()}>
					Sign out
				</Button>
			</AccountBar>
			<main className="account-page">
				<PageHeader title="Account" hint={<span className="break">{data.user.email}</span>} />
				<ProfileCard user={data.user} />
				<EmailCard user={data.user} />
				<PasswordCard user={data.user} />
				<SessionsCard currentToken={data.session.token} />
				<LinkedAccountsCard />
				<DeleteCard user={data.user} />
			</main>
		</>
	);
}
