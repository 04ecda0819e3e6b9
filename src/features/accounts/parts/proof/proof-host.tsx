import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { answerQuestion, type ProofQuestion, readQuestion, subscribeQuestions } from '../../../../browser/proof.ts'

/** Shows the dialog of a call that needs a fresh proof, whatever page has made it. The dialog is loaded when it is needed. */
export function ProofHost() {
  const question = useSyncExternalStore(subscribeQuestions, readQuestion, () => undefined)
  const [loaded, setLoaded] = useState<{ Dialog: ComponentType<{ question: ProofQuestion }> }>()

  useEffect(() => {
    if (question === undefined || loaded !== undefined) return
    import('./proof-dialog.tsx').then(
      ({ ProofDialog }) => setLoaded({ Dialog: ProofDialog }),
      // Without its script nothing can be asked; the form says so and can be sent again.
      () => answerQuestion(question, false),
    )
  }, [question, loaded])

  return question === undefined || loaded === undefined ? null : <loaded.Dialog key={question.id} question={question} />
}
