// A bot on the client that openapi-generator generates: `bot SERVER GAME` prints how its game ended, as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"bot/generated"
)

// Returns the first move that an entry of the legal moves stands for.
func unfold(entry generated.LegalMove) generated.Move {
	fields := entry.AdditionalProperties
	choose, many := fields["choose"].(float64)
	if !many {
		return generated.Move{Type: entry.Type, AdditionalProperties: fields}
	}
	cards := fields["from"].([]any)[:int(choose)]
	if piles, placed := fields["piles"].([]any); placed {
		for place, card := range cards {
			cards[place] = map[string]any{"pile": piles[place], "card": card}
		}
	}
	return generated.Move{Type: entry.Type, AdditionalProperties: map[string]any{"cards": cards}}
}

func check(err error) {
	var refused *generated.GenericOpenAPIError
	if errors.As(err, &refused) {
		panic(refused.Error() + ": " + string(refused.Body()))
	}
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx, game := context.Background(), os.Args[2]
	settings := generated.NewConfiguration()
	settings.Servers = generated.ServerConfigurations{{URL: os.Args[1]}}
	client := generated.NewAPIClient(settings)

	bot := true
	created, _, err := client.PlayersAPI.CreatePlayer(ctx).PlayerRequest(generated.PlayerRequest{Name: "generated", Bot: &bot}).Execute()
	check(err)
	settings.AddDefaultHeader("Authorization", "Bearer "+created.Token.Secret)

	_, _, err = client.TablesAPI.GetTable(ctx, "t_missing").Execute()
	var refused *generated.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic("a missing table was found")
	}
	problem := refused.Model().(generated.Problem)

	level := "uniform"
	seats := []generated.SeatRequest{{Kind: "me"}, {Kind: "ai", Level: &level}}
	table, _, err := client.TablesAPI.OpenTable(ctx).OpeningRequest(generated.OpeningRequest{Game: game, Seats: seats}).Execute()
	check(err)
	for {
		moves, _, err := client.MovesAPI.ListMoves(ctx, table.Id).Wait(20).Execute()
		check(err)
		if moves.Status == "finished" {
			break
		}
		for _, decision := range moves.Decisions {
			move := unfold(decision.Moves[len(decision.Moves)-1])
			body := generated.MoveRequest{Decision: &decision.Id, Move: *generated.NewNullableMove(&move)}
			_, _, err = client.MovesAPI.PlayMove(ctx, table.Id).MoveRequest(body).Execute()
			check(err)
		}
	}
	events, _, err := client.EventsAPI.ListEvents(ctx, table.Id).Limit(1000).Execute()
	check(err)
	types := []string{}
	for _, event := range events.Events {
		types = append(types, event.Type)
	}
	told, err := json.Marshal(map[string]any{"problem": problem.Code, "types": types})
	check(err)
	fmt.Println(string(told))
}
