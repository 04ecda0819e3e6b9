export function confirmedSentence({ email, isChanged }: { email: string; isChanged: boolean }): string {
  return isChanged
    ? `The address of your account is ${email} from now on. You sign in with it.`
    : `Your address ${email} is confirmed.`
}
