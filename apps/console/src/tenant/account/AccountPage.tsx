import { useQueryClient } from "@tanstack/react-query";
import { Navigate, useNavigate } from "react-router";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { PageHeader } from "../../ui/layout";
import { Logo } from "../../ui/logos";
import { ThemeToggle } from "../../ui/theme";
import { errorMessage } from "../error-messages";
import { LoadingPage, UnbrandedPage, usePageTitle } from "../layout";
import { accountKey, sessionQuery, useSession } from "../queries";
import { useTenant } from "../tenant-context";
import { LinkedAccountsCard } from "./LinkedAccountsCard";
import { PasswordCard } from "./PasswordCard";
import { DeleteCard, EmailCard, ProfileCard } from "./profile-cards";
import { SessionsCard } from "./SessionsCard";

export function AccountPage() {
	const { data, error, isPending, refetch } = useSession();
	usePageTitle("Account");
	if (isPending) return <LoadingPage />;
	if (error) {
		return (
			<UnbrandedPage
				title="Could not load your account"
				action={<Button onClick={() => refetch()}>Try again</Button>}
			>
				{errorMessage(error)}
			</UnbrandedPage>
		);
	}
	if (!data) return <Navigate to="/sign-in" replace />;
	const { user, session } = data;
	return (
		<>
			<AccountBar />
			<main className="account-page">
				<PageHeader title="Account" hint={<span className="break">{user.email}</span>} />
				<ProfileCard user={user} />
				<EmailCard user={user} />
				<PasswordCard user={user} />
				<SessionsCard currentToken={session.token} />
				<LinkedAccountsCard />
				<DeleteCard user={user} />
			</main>
		</>
	);
}

function AccountBar() {
	const { tenant, branding } = useTenant().options;
	const signOut = useSignOut();
	return (
		<header className="account-bar">
			<div className="account-bar-content">
				<Logo name={tenant.name} url={branding.logoUrl} size="small" />
				<span className="account-bar-name">{tenant.name}</span>
				<ThemeToggle />
				<Button size="small" busy={signOut.isPending} onClick={() => signOut.mutate()}>
					Sign out
				</Button>
			</div>
		</header>
	);
}

function useSignOut() {
	const tenant = useTenant();
	const queryClient = useQueryClient();
	const navigate = useNavigate();
	return useApiMutation({
		mutationFn: () => callApi(tenant.client.signOut()),
		onSuccess: () => {
			navigate("/sign-in", { replace: true });
			queryClient.setQueryData(sessionQuery(tenant).queryKey, null);
			queryClient.removeQueries({ queryKey: accountKey(tenant) });
		},
	});
}
